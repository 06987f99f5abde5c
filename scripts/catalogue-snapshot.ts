import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { countTokenCosts } from '@secretary-mcp/core/count-tokens.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import type { CountedCosts } from '@secretary-mcp/core/token-cost.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import type { Snapshot } from '@secretary-mcp/secretary/serve/mcp/stdio.ts'
import { version } from '@secretary-mcp/secretary/version.ts'

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
