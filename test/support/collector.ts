import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Takes what a collector of OpenTelemetry would, and keeps it as text. */
export async function startCollector() {
  const taken: { path: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    taken.push({ path: request.url ?? '', body: await text(request) })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { taken, env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, server }
}
