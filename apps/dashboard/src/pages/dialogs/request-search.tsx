import type { searchRequests } from '../../../../../src/dialogs/tools/search-requests.ts'
import { callTool } from '../../live/call-tool.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { SearchBox } from '../../parts/search-box.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { agentName } from './dialog-data.ts'

const SHOWN = 50

export function RequestSearch({ words }: { readonly words: string }) {
  const asked = words.trim()
  const found = useQuery(asked === '' ? undefined : `requests ${asked}`, 'dialogs', (signal) =>
    callTool<typeof searchRequests>(
      'dialogs',
      'search_requests',
      { query: asked, limit: SHOWN },
      signal,
    ),
  )
  return (
    <>
      <SearchBox page="dialogs" words={words} label="Search what you asked" />
      {asked !== '' && (
        <Loaded query={found} rows={6}>
          {({ results, note }) => (
            <>
              {note && <p class="quiet-line">{note}</p>}
              {results.length === 0 && (
                <Empty title="No request is like that">
                  <p>
                    Try other words: requests of this project are searched by their words and by
                    what they mean.
                  </p>
                </Empty>
              )}
              <ol class="hits">
                {results.map(({ sessionId, source, index, timestamp, request }) => (
                  <li key={`${sessionId} ${index}`}>
                    <a
                      class="request-text clamp"
                      href={pathTo(['dialogs'], { session: sessionId, at: index })}
                    >
                      {request}
                    </a>
                    <p class="quiet-line">
                      Request {index}, {agentName(source)}, <When at={timestamp} />
                    </p>
                  </li>
                ))}
              </ol>
            </>
          )}
        </Loaded>
      )}
    </>
  )
}
