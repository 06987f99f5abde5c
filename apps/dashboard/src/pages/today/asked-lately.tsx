import { useState } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { useQuery } from '../../live/use-query.ts'
import { AgentMark } from '../../parts/agent-mark.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { plainTitle } from '../../parts/shown-text.ts'
import { Empty } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { AnsweredQuestion } from '../dialogs/answered-question.tsx'
import { dialogTitle, readAnswers } from '../dialogs/dialog-data.ts'
import { FileSum, Outcome } from '../dialogs/outcome.tsx'
import { DeedsOfRequest } from '../dialogs/request-deeds.tsx'
import { type Asked, startOfDay, type Today } from './today-data.ts'

const dayName = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** What was asked, whichever agent was asked, a line each: what happened to it, and all of it in place. */
export function AskedLately({ today }: { readonly today: Today }) {
  const { requests, total, note } = today
  const shownToday = requests.filter(({ timestamp }) => timestamp >= startOfDay()).length
  return (
    <section>
      <h2 class="section-title">
        What you asked
        <a class="section-link" href={pathTo(['dialogs'])}>
          all dialogs
        </a>
      </h2>
      {requests.length === 0 && !note && <NothingAsked />}
      {byDay(requests).map(([day, some]) => (
        <section key={day}>
          <h3 class="day-title">{day}</h3>
          <ol class="requests">
            {some.map((request) => (
              <AskedRequest key={`${request.sessionId} ${request.index}`} request={request} />
            ))}
          </ol>
        </section>
      ))}
      {total > shownToday && (
        <p class="quiet-line">
          <a href={pathTo(['dialogs'], { time: 'day' })}>
            {(total - shownToday).toLocaleString()} more today
          </a>
        </p>
      )}
    </section>
  )
}

/** By the person's own clock, the days in the order in which they come. */
function byDay(requests: readonly Asked[]): [day: string, requests: Asked[]][] {
  const days = new Map<string, Asked[]>()
  for (const request of requests) {
    const day = nameOfDay(request.timestamp)
    days.set(day, [...(days.get(day) ?? []), request])
  }
  return [...days]
}

function nameOfDay(time: number): string {
  const ago = Math.ceil((startOfDay() - time) / 86_400_000)
  if (ago > 1) return dayName.format(time)
  const name = relative.format(-Math.max(0, ago), 'day')
  return `${name.slice(0, 1).toLocaleUpperCase()}${name.slice(1)}`
}

function AskedRequest({ request }: { readonly request: Asked }) {
  const { source, title, answers, timestamp, files } = request
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details class="asked-row" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="asked" data-control="title">
          <AgentMark source={source} />
          <span class="asked-title title">
            {plainTitle(title)}
            {answers && <span class="asked-question"> to “{plainTitle(answers)}”</span>}
          </span>
          <span class="asked-side">
            <Outcome entry={request} />
            <FileSum files={files} />
            {timestamp >= startOfDay() ? <When at={timestamp} /> : <Clock at={timestamp} />}
          </span>
        </summary>
        {isOpen && <WholeRequest request={request} />}
      </details>
    </li>
  )
}

/** Below the name of a day. */
function Clock({ at }: { readonly at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
}

function WholeRequest({ request }: { readonly request: Asked }) {
  const { sessionId, index, answers, dialogTitle: title } = request
  const { value } = useQuery(`answer ${sessionId} ${index}`, 'dialogs', (signal) =>
    readAnswers(sessionId, index - 1, 1, signal),
  )
  const answer = value?.[0]
  return (
    <div class="asked-whole">
      <AnsweredQuestion question={answers} />
      <div class="request-words">
        <Markdown text={request.request} headingsFrom={4} />
      </div>
      {answer && (
        <div class="asked-answer">
          <Markdown
            text={answer.answer.length < answer.length ? `${answer.answer}…` : answer.answer}
            headingsFrom={4}
          />
        </div>
      )}
      <DeedsOfRequest session={sessionId} entry={request} isOpen isHere />
      <p>
        <a href={pathTo(['dialogs'], { session: sessionId, at: index })}>
          Open request {index}
          {title ? ` of “${dialogTitle({ title: plainTitle(title) })}”` : ' in its dialog'}
        </a>
      </p>
    </div>
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
