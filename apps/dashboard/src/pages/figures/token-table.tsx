import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { useQuery } from '../../live/use-query.ts'
import { AgentMark } from '../../parts/agent-mark.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { Loaded } from '../../parts/states.tsx'
import { shownCost } from '../../parts/tokens.ts'
import { PriceEditor } from './price-editor.tsx'

type Row = AnswerOf<'get /api/v1/usage'>['rows'][number]
type Sum = Omit<Row, 'day' | 'source' | 'model'>

/** What agents' models took, by day or by agent and model, with what it cost. */
export function TokenTable({ by, since }: { readonly by: string; readonly since: string }) {
  const query = useQuery(`usage ${since}`, 'dialogs', (signal) =>
    call('get /api/v1/usage', { query: { since }, signal }),
  )
  return (
    <section>
      <h2 class="section-title">Tokens and cost</h2>
      <Loaded query={query} rows={4}>
        {({ rows, currency }) =>
          rows.length === 0 ? (
            <p class="quiet-line">No agent recorded tokens in this time.</p>
          ) : (
            <>
              <Scrollable class="table-scroll" label="Tokens and cost">
                <table class="table tokens-table">
                  <thead>
                    <tr>
                      <th scope="col">{by === 'day' ? 'Day' : 'Agent and model'}</th>
                      {['Answers', 'In', 'Cached', 'Out', 'Cost'].map((name) => (
                        <th scope="col" class="number" key={name}>
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {groupsOf(rows, by).map(([name, some]) => (
                      <tr key={name}>
                        <th scope="row">{by === 'day' ? name : <Model row={some[0]} />}</th>
                        <Figures sum={sumOf(some)} currency={currency} />
                      </tr>
                    ))}
                  </tbody>
                  <tfoot>
                    <tr>
                      <th scope="row">All</th>
                      <Figures sum={sumOf(rows)} currency={currency} />
                    </tr>
                  </tfoot>
                </table>
              </Scrollable>
              <PriceEditor
                models={[...new Set(rows.map(({ model }) => model))].filter(Boolean)}
                onSaved={query.reload}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Model({ row }: { readonly row: Row | undefined }) {
  if (!row) return null
  return (
    <>
      <AgentMark source={row.source} /> {row.model || agentName(row.source)}
    </>
  )
}

function Figures({ sum, currency }: { readonly sum: Sum; readonly currency: string }) {
  const { answers, input, cacheRead, cacheWrite, output, cost } = sum
  return (
    <>
      {[answers, input, cacheRead + cacheWrite, output].map((count, place) => (
        <td class="number" key={place}>
          {count.toLocaleString()}
        </td>
      ))}
      <td class="number">{cost === undefined ? 'no price' : shownCost(cost, currency)}</td>
    </>
  )
}

function groupsOf(rows: readonly Row[], by: string): [name: string, rows: Row[]][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const name = by === 'day' ? row.day : `${row.source} ${row.model}`
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups]
}

function sumOf(rows: readonly Row[]): Sum {
  const add = (of: 'answers' | 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    rows.reduce((all, row) => all + row[of], 0)
  return {
    answers: add('answers'),
    input: add('input'),
    output: add('output'),
    cacheRead: add('cacheRead'),
    cacheWrite: add('cacheWrite'),
    cost: rows.some(({ cost }) => cost === undefined)
      ? undefined
      : rows.reduce((all, { cost = 0 }) => all + cost, 0),
  }
}
