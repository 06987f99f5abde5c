import { hourBefore } from '@secretary-mcp/core/calls.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { table, titled } from '../table.ts'

const HEAD = ['TOOL', 'CALLS', 'SUCCESS', 'P50 MS', 'P95', 'P99', 'LIMITED', 'BY PAGE', 'ERRORS']
/** By page, limited, p99, p50, p95. */
const SPARE = [7, 6, 5, 3, 4]

const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2))

function daysGiven(text: string): number {
  const days = Number(text)
  if (!(days > 0 && days <= 36_500)) throw new UsageError('--days must be a number of days above 0')
  return days
}

export const registerStats: RegisterCommand = (program, context) => {
  program
    .command('stats')
    .description('show calls, success rates and latencies by tool')
    .option('--days <number>', 'only the last N days; everything by default', daysGiven)
    .option('--json', 'as JSON')
    .action((options: { json?: boolean; days?: number }, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        const stats = await app.calls.stats(
          options.days === undefined ? '' : hourBefore(options.days),
        )
        if (options.json) return terminal.print(JSON.stringify(stats))
        if (stats.length === 0)
          return terminal.print(
            options.days === undefined
              ? 'No tool has been called yet.'
              : 'No tool was called in this period.',
          )
        const rows = stats.map(
          ({ tool, calls, successRate, p50Ms, p95Ms, p99Ms, errors, rateLimitHits, pageCalls }) => [
            tool,
            String(calls),
            `${(successRate * 100).toFixed(1)} %`,
            ms(p50Ms),
            ms(p95Ms),
            ms(p99Ms),
            String(rateLimitHits),
            String(pageCalls),
            Object.entries(errors)
              .map(([kind, count]) => `${kind} ${count}`)
              .join(', '),
          ],
        )
        terminal.list(
          table(titled(terminal, HEAD, rows), { columns: terminal.columns, spare: SPARE }),
        )
      }),
    )
}
