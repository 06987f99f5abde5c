import type { AgentsHome } from './agents-home.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from './page-house.ts'
import { keepWorkedDialog, type WorkedTurn } from './worked-dialog.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const ROUTES = `import { Router } from './router.ts'

export const routes = new Router()

routes.get('/invoices', listInvoices)
routes.post('/invoices', createInvoice)
`

const LOG = `2026-11-18T09:14:02.113Z ERROR [billing] job invoice-mail failed
2026-11-18T09:14:02.114Z ERROR [billing] Error: connect ECONNREFUSED 127.0.0.1:2525
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)
    at processTicksAndRejections (node:internal/process/task_queues:95:5)
2026-11-18T09:14:03.900Z WARN  [billing] retrying in 30 s
2026-11-18T09:14:33.912Z ERROR [billing] job invoice-mail failed

why does it give up after the second try? it should go on for an hour`

const PLAN = `Implement the following plan:

# Plan: Split invoices by tax rate

## Context
An invoice may hold lines of several tax rates. Totals are summed in one column today, so the export is wrong.

## Steps
1. Add \`tax_rate\` to every line
2. Sum by rate in \`src/invoices/totals.ts\`
3. Show one row for each rate in the export
4. Test a mixed invoice

## Out of scope
- old invoices`

const USAGE = {
  input_tokens: 1_200,
  cache_read_input_tokens: 40_000,
  cache_creation_input_tokens: 2_000,
  output_tokens: 800,
}

/** What people ask, as it looks from above: short orders, questions, lists, words of agreement. */
const ASKS = [
  'rename `Invoice.sum` to `Invoice.total` everywhere',
  'the list is slow with 10k rows, find out where the time goes first',
  '**Please** add a test for the empty invoice',
  'can you explain how the retry works?',
  'Use the same date format as in the export.\n\n- no seconds\n- the zone of the customer',
  'revert that',
  'make the button blue again and move it to the right of the search field, otherwise nobody finds it on a small screen and support gets a mail',
  'go on',
]

/** The last weeks of somebody who works with agents all day: sixty dialogs with pasted logs, plans and bare replies. */
export function openLivedHouse(): Promise<PageHouse> {
  return openHouse((home) => live(home)).then(async (house) => {
    await house.api('POST', '/api/v1/tasks', { title: 'Ask Vera about the tax of gift cards' })
    await house.api('POST', '/api/v1/tasks', {
      title: 'Delete the old export after the first of December, unless somebody still uses it',
    })
    return house
  })
}

function live(home: AgentsHome): void {
  const now = Date.now()
  writeProjectFile(home, 'src/routes.ts', ROUTES)
  const session = (name: string, ago: number, turns: WorkedTurn[], summary?: string) =>
    keepWorkedDialog(home, name, turns, { lastAt: now - ago, summary, usage: USAGE })
  session('tax', 40 * MINUTE, [
    {
      minutesAgo: 12,
      ask: PLAN,
      acts: [
        { write: 'src/invoices/totals.ts', text: 'export const rates = [7, 19]\n' },
        { edit: 'src/routes.ts', from: "'/invoices', list", to: "'/invoices/:id', list" },
        { run: 'npm test', output: 'Tests: 31 passed' },
      ],
      says: 'Totals are summed by rate, and the export has one row for each.',
    },
    {
      minutesAgo: 5,
      ask: 'commit',
      acts: [
        {
          run: 'git commit -am "feat: split invoices by tax rate"',
          output: '[main 8d1f0aa] feat: split invoices by tax rate',
        },
      ],
      says: 'Committed. Should I also convert the invoices of last year?',
    },
    {
      minutesAgo: 0,
      ask: 'yes',
      says: 'There are 14,210 of them. Shall I convert them in one go, or in batches of a thousand?',
    },
  ])
  session(
    'retry',
    3 * HOUR,
    [
      {
        minutesAgo: 20,
        ask: LOG,
        acts: [
          { write: 'src/mail/retry.ts', text: 'export const tries = 120\n' },
          {
            run: 'npx vitest run src/mail',
            fails: true,
            output: 'Tests  2 failed | 29 passed (31)',
          },
        ],
        says: 'It retries for an hour now. Two tests still expect two tries.',
      },
    ],
    '**Retry** of mails',
  )
  session('upload', DAY + 2 * HOUR, [
    {
      minutesAgo: 9,
      ask: 'Uploads above 10 MB fail behind the proxy. Stream them instead of buffering.',
      acts: [
        { write: 'src/upload/stream.ts', text: 'export const chunk = 65_536\n' },
        { run: 'npm test', output: 'Tests: 31 passed' },
      ],
      says: 'Uploads are streamed.',
    },
  ])
  for (let nth = 0; nth < 57; nth++) {
    const asks = [ASKS[nth % ASKS.length] ?? '', ...(nth % 3 === 0 ? ['ok, do that'] : [])]
    keepDialog(home, `older-${nth}`, asks, now - DAY - (nth + 3) * 7 * HOUR, {
      answers: ['Done. Shall I add a test as well?', 'Added.'].slice(-asks.length),
      ...(nth % 4 === 0 ? { summary: `# ${(ASKS[nth % ASKS.length] ?? '').slice(0, 40)}` } : {}),
    })
  }
}
