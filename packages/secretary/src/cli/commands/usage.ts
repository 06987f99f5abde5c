import type { TokenRow } from '../../usage/token-usage.ts'
import { type RegisterCommand, UsageError } from '../command-context.ts'
import { table, titled } from '../table.ts'

const HEAD = ['AGENT', 'MODEL', 'ANSWERS', 'IN', 'CACHED', 'OUT', 'COST']
const DAY = 86_400_000
const DAYS = 30

function daysGiven(text: string): number {
  const days = Number(text)
  if (!(Number.isInteger(days) && days > 0 && days <= 3_650))
    throw new UsageError('--days must be a whole number from 1 to 3650')
  return days
}

export const registerUsage: RegisterCommand = (program, context) => {
  program
    .command('usage')
    .description('tokens and cost by agent and model, as the agents recorded them')
    .option('--days <number>', 'only the last N days', daysGiven, DAYS)
    .option('--json', 'as JSON, by day')
    .action((options: { json?: boolean; days: number }, command) =>
      context.withApp(command, async (app) => {
        const { terminal } = context
        const first = new Date(Date.now() - (options.days - 1) * DAY).toISOString().slice(0, 10)
        const never = new AbortController().signal
        const rows = await app.tokenUsage.rows(app.localCaller, first, never)
        const { currency } = app.prices.read()
        if (options.json) return terminal.print(JSON.stringify({ rows, currency }))
        if (rows.length === 0) return terminal.print('No agent recorded tokens in this period.')
        const sums = sumByModel(rows).map(({ source, model, answers, cost, ...tokens }) => [
          source,
          model,
          ...[answers, tokens.input, tokens.cacheRead + tokens.cacheWrite, tokens.output].map(
            (count) => count.toLocaleString('en'),
          ),
          cost === undefined ? '-' : `${cost.toFixed(2)} ${currency}`,
        ])
        terminal.list(
          table(titled(terminal, HEAD, sums), { columns: terminal.columns, spare: [2, 4] }),
        )
      }),
    )
}

function sumByModel(rows: readonly TokenRow[]): TokenRow[] {
  const sums = new Map<string, TokenRow>()
  for (const row of rows) {
    const key = `${row.source} ${row.model}`
    const before = sums.get(key)
    if (!before) sums.set(key, row)
    else
      sums.set(key, {
        ...before,
        answers: before.answers + row.answers,
        input: before.input + row.input,
        output: before.output + row.output,
        cacheRead: before.cacheRead + row.cacheRead,
        cacheWrite: before.cacheWrite + row.cacheWrite,
        cost:
          before.cost === undefined || row.cost === undefined ? undefined : before.cost + row.cost,
      })
  }
  return [...sums.values()].sort((a, b) => b.output - a.output)
}
