import type { RegisterCommand } from '../command-context.ts'
import { table } from '../terminal.ts'

const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2))

export const registerStats: RegisterCommand = (program, context) => {
  program
    .command('stats')
    .description('how often each tool was called, how it went and how long it took')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        const stats = await app.metrics.stats()
        if (options.json) return terminal.print(JSON.stringify(stats))
        if (stats.length === 0) return terminal.print('No tool was called yet.')
        const rows = stats.map(
          ({ tool, calls, successRate, p50Ms, p95Ms, p99Ms, errors, rateLimitHits }) => [
            tool,
            String(calls),
            `${(successRate * 100).toFixed(1)} %`,
            ms(p50Ms),
            ms(p95Ms),
            ms(p99Ms),
            String(rateLimitHits),
            Object.entries(errors)
              .map(([kind, count]) => `${kind} ${count}`)
              .join(', '),
          ],
        )
        for (const line of table([
          ['TOOL', 'CALLS', 'SUCCESS', 'P50 MS', 'P95', 'P99', 'LIMITED', 'ERRORS'],
          ...rows,
        ]))
          terminal.print(line)
      }),
    )
}
