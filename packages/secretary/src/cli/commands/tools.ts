import { tokenCosts } from '@secretary-mcp/core/token-cost.ts'
import type { RegisterCommand } from '../command-context.ts'
import { table, titled } from '../table.ts'

export const registerTools: RegisterCommand = (program, context) => {
  program
    .command('tools')
    .description('list the tools')
    .option('--tokens', 'what each costs a client, in o200k tokens')
    .option('--json', 'as JSON')
    .action((options: { tokens?: boolean; json?: boolean }, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        if (!options.tokens) {
          const rows = app.listings('compact').map(({ name, family, effect, description }) => ({
            name,
            family,
            effect,
            description: description.split('\n')[0] ?? '',
          }))
          if (options.json) return terminal.print(JSON.stringify(rows))
          const cells = rows.map(({ name, family, effect, description }) => [
            terminal.style('cyan', name),
            family,
            effect,
            description,
          ])
          return terminal.list(
            table(titled(terminal, ['TOOL', 'FAMILY', 'EFFECT', 'WHAT IT DOES'], cells), {
              columns: terminal.columns,
              spare: [1, 2],
            }),
          )
        }
        const costs = tokenCosts(app.tools.values())
        if (options.json) return terminal.print(JSON.stringify(costs))
        const cells = costs.map(({ name, full, compact }) => [name, String(full), String(compact)])
        terminal.list(
          table(titled(terminal, ['TOOL', 'FULL', 'COMPACT'], cells), {
            columns: terminal.columns,
          }),
        )
        const mean = (key: 'full' | 'compact') =>
          (costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length).toFixed(0)
        terminal.print(
          `${costs.length} tools, on average ${mean('full')} full and ${mean('compact')} compact`,
        )
      }),
    )
}
