import type { ValueOf } from '../../../../../src/core/tool.ts'
import type { recallTool } from '../../../../../src/dialogs/tools/recall.ts'
import { ApiError } from '../../live/api.ts'
import { callTool } from '../../live/call-tool.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { agentName } from '../dialogs/dialog-data.ts'

type Recall = Partial<ValueOf<typeof recallTool>>

const BUDGET = 3_000

/** What an agent would be told after a compaction: how the dialog began, where it stands, what was decided. */
export function CurrentDialog() {
  const on = useFamily('dialogs')
  const query = useQuery(on ? 'recall' : undefined, 'dialogs', recallOrNothing)
  if (!on) return null
  return (
    <Loaded query={query} rows={5}>
      {(recall) => (
        <>
          <section>
            <h2 class="section-title">
              Current dialog {recall.source && <span class="tag">{agentName(recall.source)}</span>}
              {recall.sessionId && (
                <a class="section-link" href={pathTo(['dialogs'], { session: recall.sessionId })}>
                  all {recall.totalRequests} requests
                </a>
              )}
            </h2>
            {recall.sessionId ? <Requests recall={recall} /> : <NoDialog />}
          </section>
          <Lines title="Recent decisions" lines={recall.decisions} />
          <Lines title="Files it touched" lines={recall.files} path />
        </>
      )}
    </Loaded>
  )
}

function Requests({
  recall: { sessionId, firstRequest, latestRequests = [] },
}: {
  readonly recall: Recall
}) {
  const later = latestRequests.filter(({ index }) => index !== firstRequest?.index)
  return (
    <ol class="requests">
      {[...(firstRequest ? [firstRequest] : []), ...later].map(({ index, timestamp, request }) => (
        <li key={index}>
          <a
            class="request-number"
            href={pathTo(['dialogs'], { session: sessionId, at: index })}
            aria-label={`Request ${index}`}
          >
            {index}
          </a>
          <div class="request-text clamp">{request}</div>
          <When at={timestamp} />
        </li>
      ))}
    </ol>
  )
}

function Lines({
  title,
  lines = [],
  path = false,
}: {
  readonly title: string
  readonly lines?: readonly string[]
  readonly path?: boolean
}) {
  if (lines.length === 0) return null
  return (
    <section>
      <h2 class="section-title">{title}</h2>
      <ul class={path ? 'plain-list paths' : 'plain-list'}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

function NoDialog() {
  return (
    <Empty title="No dialog in this project yet">
      <p>
        Secretary reads what you ask VS Code Copilot Chat, Claude Code, Codex, Gemini CLI and
        others, where they keep it on this machine. Ask one of them something in this project, and
        it appears here. <code>secretary doctor</code> says which of them it found.
      </p>
    </Empty>
  )
}

async function recallOrNothing(signal: AbortSignal): Promise<Recall> {
  try {
    return await callTool<typeof recallTool>('dialogs', 'recall', { budget: BUDGET }, signal)
  } catch (error) {
    // A limit is reached for a moment only, and says nothing about dialogs.
    if (error instanceof ApiError && error.status === 200 && error.retryAfterMs === undefined)
      return {}
    throw error
  }
}
