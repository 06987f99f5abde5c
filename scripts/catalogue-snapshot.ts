import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/core/config/config.ts'
import { countTokenCosts } from '../src/core/count-tokens.ts'
import { silentLog } from '../src/core/log.ts'
import type { CountedCosts } from '../src/core/token-cost.ts'
import type { Snapshot } from '../src/serve/mcp/catalogue-snapshot.ts'
import { version } from '../src/version.ts'

interface Catalogue {
  /** What `tools/list` answers before any tool is loaded. */
  readonly snapshot: Snapshot
  readonly costs: CountedCosts
}

/** The catalogue as files, from the definitions. */
export async function catalogueSnapshot(): Promise<Catalogue> {
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
  const counted = countTokenCosts({ full, compact })
  const costs = tools.map(({ name }, place) => {
    const { full, compact } = counted[place] ?? { full: 0, compact: 0 }
    return [name, { full, compact }] as const
  })
  await app.close()
  const snapshot = { version, tools: tools as Snapshot['tools'] }
  return { snapshot, costs: Object.fromEntries(costs) }
}
