import { call } from '../../live/api.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { DecisionLine } from '../dialogs/decision-line.tsx'

const SHOWN = 5

/** Each leads to the dialog it came from. */
export function RecentDecisions() {
  const on = useFamily('context')
  const { value } = useQuery(on ? 'recent decisions' : undefined, 'context', (signal) =>
    call('get /api/v1/decisions', { query: { limit: SHOWN }, signal }),
  )
  if (!value || value.decisions.length === 0) return null
  return (
    <section>
      <h2 class="section-title">Recent decisions</h2>
      <ul class="plain-list">
        {value.decisions.map((decision) => (
          <DecisionLine key={decision.id} decision={decision} />
        ))}
      </ul>
    </section>
  )
}
