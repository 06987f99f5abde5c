import { call } from '../../live/api.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { DecisionLine } from './decision-line.tsx'

/** What was decided in a dialog; nothing where nothing was. */
export function DialogDecisions({ session }: { readonly session: string }) {
  const on = useFamily('context')
  const { value } = useQuery(on ? `decisions of ${session}` : undefined, 'context', (signal) =>
    call('get /api/v1/decisions', { query: { session, limit: 50 }, signal }),
  )
  if (!value || value.decisions.length === 0) return null
  const { length } = value.decisions
  return (
    <details class="decisions">
      <summary>
        {length} {length === 1 ? 'decision' : 'decisions'} made here
      </summary>
      <ul class="plain-list">
        {value.decisions.map((decision) => (
          <DecisionLine key={decision.id} decision={decision} />
        ))}
      </ul>
    </details>
  )
}
