import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Telemetry } from '../telemetry/open-telemetry.ts'
import { version } from '../version.ts'

export async function createTelemetry(config: Config, log: Log): Promise<Telemetry | undefined> {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otlpService: service, replica } = config
  if (!endpoint) return undefined
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts')
  return openTelemetry({ endpoint, headers, service, replica, version }, log)
}
