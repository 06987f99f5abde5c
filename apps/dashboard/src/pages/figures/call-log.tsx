import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { Pre } from '../../parts/scrollable.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { milliseconds } from '../tools/milliseconds.ts'

type Call = AnswerOf<'get /api/v1/calls'>['calls'][number]

interface CallLogProps {
  readonly session: string
  readonly onSession: (session: string) => void
}

/** The last calls; what this page calls is shown only where it is asked for. */
export function CallLog({ session, onSession }: CallLogProps) {
  const [isPage, setPage] = useState(false)
  const [isFailed, setFailed] = useState(false)
  const wanted = { page: isPage, failed: isFailed || undefined, session: session || undefined }
  const query = useQuery(`calls ${JSON.stringify(wanted)}`, 'stats', (signal) =>
    call('get /api/v1/calls', { query: { ...wanted, limit: 100 }, signal }),
  )
  return (
    <section>
      <h2 class="section-title">Last calls</h2>
      <div class="filters">
        <label class="check">
          <input
            type="checkbox"
            checked={isFailed}
            onChange={(event) => setFailed(event.currentTarget.checked)}
          />{' '}
          Failed only
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isPage}
            onChange={(event) => setPage(event.currentTarget.checked)}
          />{' '}
          Only calls from this page
        </label>
        {session && (
          <button type="button" class="button" onClick={() => onSession('')}>
            Session {session.slice(0, 12)} ×
          </button>
        )}
      </div>
      <Loaded query={query} rows={5}>
        {({ calls }) =>
          calls.length === 0 ? (
            <Empty title="No calls" />
          ) : (
            <ul class="calls">
              {calls.map((one, place) => (
                <CallLine key={`${one.at} ${place}`} one={one} onSession={onSession} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function CallLine({
  one,
  onSession,
}: {
  readonly one: Call
  readonly onSession: (id: string) => void
}) {
  const { at, agent, session, tool, ms, tokens, error, answer } = one
  return (
    <li>
      <details>
        <summary>
          <code>{tool}</code>{' '}
          {error && (
            <span class="tag" data-effect="destroy">
              {error}
            </span>
          )}
          <span class="call-side">
            {agentName(agent ?? 'command line')}, {milliseconds(ms)}, {tokens.toLocaleString()}{' '}
            tokens, <When at={at} />
          </span>
        </summary>
        {one.arguments === undefined ? (
          <p class="quiet-line">Only {one.user} sees what was asked and answered.</p>
        ) : (
          <>
            <p class="quiet-line">Arguments</p>
            <Pre wrap>{one.arguments}</Pre>
            <p class="quiet-line">
              {answer === undefined
                ? 'The answer is not kept: it may hold the contents of files.'
                : 'Answer'}
            </p>
            {answer !== undefined && <Pre wrap>{answer}</Pre>}
          </>
        )}
        <p class="quiet-line">
          <a href={pathTo(['tools'], { name: tool })}>About this tool</a>
          {session && (
            <>
              {' '}
              <button type="button" class="button quiet" onClick={() => onSession(session)}>
                Only this session
              </button>
            </>
          )}
        </p>
      </details>
    </li>
  )
}
