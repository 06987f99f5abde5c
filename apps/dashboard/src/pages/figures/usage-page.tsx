import { call } from '../../live/api.ts'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { Choice } from '../../parts/choice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { CallLog } from './call-log.tsx'
import { dayAgo } from './day-ago.ts'
import { FigureTable } from './figure-table.tsx'
import { RequestYear } from './request-year.tsx'
import { TokenTable } from './token-table.tsx'

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 }
const GROUPS = [
  ['day', 'Day'],
  ['agent', 'Agent'],
  ['tool', 'Tool'],
  ['project', 'Project'],
] as const
type Group = (typeof GROUPS)[number][0]

export function UsagePage() {
  const { query } = usePlace()
  const range = query.get('range') ?? 'month'
  const by = GROUPS.find(([name]) => name === query.get('by'))?.[0] ?? 'day'
  const chosen = { range, by, sort: query.get('sort') ?? '', session: query.get('session') ?? '' }
  const show = (changes: Partial<Record<keyof typeof chosen, string>>) =>
    go(pathTo(['usage'], { ...chosen, ...changes }), { replace: true })
  const since = dayAgo((DAYS[range] ?? 30) - 1)
  const figures = useQuery(`figures ${by} ${since}`, 'stats', (signal) =>
    call('get /api/v1/figures', { query: { by: by as Group, since }, signal }),
  )
  const hasDialogs = useFamily('dialogs')
  return (
    <>
      <PageHeader title="Usage" lead="What agents called, and what it cost">
        <Choice
          label="Time shown"
          value={range}
          options={[
            ['day', 'Day'],
            ['week', 'Week'],
            ['month', 'Month'],
            ['year', 'Year'],
          ]}
          onChoose={(next) => show({ range: next })}
        />
        <Choice
          label="Group by"
          value={by}
          options={GROUPS}
          onChoose={(next) => show({ by: next })}
        />
      </PageHeader>
      {hasDialogs && <TokenTable by={by} since={since} />}
      <section>
        <h2 class="section-title">Calls</h2>
        <Loaded query={figures} rows={6}>
          {(found) =>
            found.figures.length === 0 ? (
              <Empty title="No agent has called a tool in this time">
                <p>Calls are counted as soon as an agent makes them.</p>
              </Empty>
            ) : (
              <FigureTable
                figures={found.figures}
                by={by}
                sort={chosen.sort}
                onSort={(sort) => show({ sort })}
              />
            )
          }
        </Loaded>
        <p class="all-tools">
          <a href={pathTo(['tools'])}>All tools</a>{' '}
          <span class="quiet-line">with their speed and what their descriptions cost</span>
        </p>
      </section>
      {hasDialogs && <RequestYear />}
      <CallLog session={chosen.session} onSession={(session) => show({ session })} />
    </>
  )
}
