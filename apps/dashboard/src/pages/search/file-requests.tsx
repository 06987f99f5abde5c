import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { AgentMark } from '../../parts/agent-mark.tsx'
import { plainTitle } from '../../parts/shown-text.ts'
import { When } from '../../parts/when.tsx'

/** The requests for which a file was changed, also those whose lines are gone. */
export function FileRequests({ path }: { readonly path: string }) {
  const on = useFamily('dialogs')
  const { value } = useQuery(on && path ? `touching ${path}` : undefined, 'dialogs', (signal) =>
    call('get /api/v1/dialogs/touching', { query: { file: path }, signal }),
  )
  const requests = value?.requests ?? []
  return (
    <details class="file-requests" hidden={requests.length === 0}>
      <summary>
        Changed for {requests.length} {requests.length === 1 ? 'request' : 'requests'}
      </summary>
      <ol class="plain-list">
        {requests.map(({ sessionId, source, index, timestamp, title }) => (
          <li key={`${sessionId} ${index}`}>
            <AgentMark source={source} />{' '}
            <a href={pathTo(['dialogs'], { session: sessionId, at: index })}>{plainTitle(title)}</a>{' '}
            <span class="quiet-line">
              <When at={timestamp} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
