import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { pathTo } from '../../live/router.ts'
import { Empty } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { AnsweredQuestion } from '../dialogs/answered-question.tsx'
import { dialogTitle } from '../dialogs/dialog-data.ts'
import { RequestDeeds } from '../dialogs/request-deeds.tsx'
import type { Asked, Today } from './today-data.ts'

/** What was asked, whichever agent was asked, and what was done for it. */
export function AskedToday({ today }: { readonly today: Today }) {
  const { requests, total, isEarlier, note } = today
  return (
    <section>
      <h2 class="section-title">
        What you asked <span class="count">{isEarlier ? '' : total.toLocaleString()}</span>
        <a class="section-link" href={pathTo(['dialogs'])}>
          all dialogs
        </a>
      </h2>
      {requests.length === 0
        ? !note && <NothingAsked />
        : isEarlier && <p class="quiet-line">Nothing yet today. Your latest requests:</p>}
      <ol class="requests">
        {requests.map((request) => (
          <AskedRequest key={`${request.sessionId} ${request.index}`} request={request} />
        ))}
      </ol>
      {total > requests.length && !isEarlier && (
        <p class="quiet-line">
          <a href={pathTo(['dialogs'], { time: 'day' })}>
            {(total - requests.length).toLocaleString()} more
          </a>
        </p>
      )}
    </section>
  )
}

function AskedRequest({ request }: { readonly request: Asked }) {
  const { sessionId, index, source, title, timestamp } = request
  return (
    <li>
      <p class="request-meta">
        <span class="tag">{agentName(source)}</span>
        <span class="request-dialog">
          {title ? dialogTitle({ title }) : ''} #{index}
        </span>
        <When at={timestamp} />
      </p>
      <a
        class="request-text clamp request-link"
        href={pathTo(['dialogs'], { session: sessionId, at: index })}
      >
        {request.request}
      </a>
      <AnsweredQuestion question={request.answers} />
      <RequestDeeds session={sessionId} entry={request} isHere />
    </li>
  )
}

function NothingAsked() {
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
