import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/core/config/config.ts'
import { silentLog } from '../src/core/log.ts'
import type { Snapshot } from '../src/serve/mcp/catalogue-snapshot.ts'
import { version } from '../src/version.ts'

/** The catalogue as a file, from the definitions: what `tools/list` answers before any tool is loaded. */
export async function catalogueSnapshot(): Promise<Snapshot> {
  const app = await createApp(
    loadConfig({ env: { SECRETARY_ALLOW_ANY_PROJECT: 'on' }, cwd: process.cwd() }).config,
    silentLog,
  )
  const [full, compact] = [app.listings('full'), app.listings('compact')]
  const tools = [...app.tools.values()].map(({ tool }, place) => {
    const {
      title,
      effect,
      idempotent,
      inputSchema,
      outputSchema,
      description = '',
    } = full[place] ?? {}
    return {
      name: tool.name,
      family: tool.family,
      prefix: tool.prefix,
      title,
      effect,
      idempotent,
      inputSchema,
      outputSchema,
      full: description,
      compact: compact[place]?.description ?? '',
    }
  })
  await app.close()
  return { version, tools: tools as Snapshot['tools'] }
}
