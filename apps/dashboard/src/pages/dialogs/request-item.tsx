import { useEffect, useState } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Folded } from '../../parts/folded.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { plainTitle, shownBeginning } from '../../parts/shown-text.ts'
import { say } from '../../parts/toasts.tsx'
import { useNear } from '../../parts/use-near.ts'
import { When } from '../../parts/when.tsx'
import { linkToRequest, type RequestLink } from '../tasks/request-links.ts'
import { TaskDraft } from '../tasks/task-draft.tsx'
import type { Draft } from '../tasks/task-fields.tsx'
import { AnsweredQuestion } from './answered-question.tsx'
import type { Answer, LedgerEntry, RequestText } from './dialog-data.ts'
import { Reply } from './reply.tsx'
import { RequestDeeds } from './request-deeds.tsx'

interface RequestItemProps {
  readonly session: string
  readonly request: RequestText
  /** Null where there is none, undefined as long as nobody knows. */
  readonly answer: Answer | null | undefined
  readonly deeds: LedgerEntry | null | undefined
  readonly isHere: boolean
  readonly marked: boolean
  readonly tasks: readonly RequestLink[]
  /** What it took, in words. */
  readonly tokens: string | undefined
  readonly onNear: () => void
}

const MAX_SHOWN = 50_000
const MAX_TITLE = 200
const MAX_DESCRIPTION = 1000
const MAX_FILES = 20

export function RequestItem({
  session,
  request,
  answer,
  deeds,
  isHere,
  marked,
  tasks,
  tokens,
  onNear,
}: RequestItemProps) {
  const [place, near] = useNear<HTMLLIElement>()
  useEffect(() => {
    if (near) onNear()
  }, [near, onNear])
  const { index, timestamp, request: text } = request
  const hasTasks = useFamily('tasks')
  const title = plainTitle(request.title)
  const [isDrafting, setDrafting] = useState(false)
  return (
    <li id={`request-${index}`} data-marked={marked} ref={place}>
      <a
        class="request-number"
        href={pathTo(['dialogs'], { session, at: index })}
        aria-label={`Request ${index}`}
      >
        {index}
      </a>
      <div>
        <AnsweredQuestion question={request.answers} />
        {request.isTitleApart && <h2 class="request-title title">{title}</h2>}
        <div class="request-words">
          <Folded characters={text.length}>
            <Markdown text={shownBeginning(text, MAX_SHOWN)} headingsFrom={3} />
          </Folded>
        </div>
        <RequestDeeds session={session} entry={deeds} isHere={isHere} />
        {tasks.map((task) => (
          <p class="quiet-line" key={task.task_id}>
            Task <a href={pathTo(['tasks', task.task_id])}>#{task.task_id}</a> {task.title},{' '}
            {task.completed ? 'done' : 'open'}
          </p>
        ))}
      </div>
      <div class="request-side">
        <When at={timestamp} />
        {tokens && <span class="request-tokens">{tokens}</span>}
        <span class="request-actions">
          <CopyButton text={() => text} />
          {hasTasks && tasks.length === 0 && (
            <button type="button" class="button quiet" onClick={() => setDrafting(true)}>
              Make a task
            </button>
          )}
        </span>
      </div>
      {isDrafting && (
        <TaskDraft
          draft={draftOf(request, deeds)}
          onAdded={({ id }) => linkTo(id, session, index)}
          onClose={() => setDrafting(false)}
        />
      )}
      {answer === undefined && <span class="waiting-line reply-waiting" aria-hidden="true" />}
      {answer && <Reply session={session} answer={answer} />}
    </li>
  )
}

/** As far as the request and what was done for it say. */
function draftOf(
  { index, request, title }: RequestText,
  deeds: LedgerEntry | null | undefined,
): Draft {
  const [, ...rest] = request.trim().split('\n')
  return {
    title: shownBeginning(plainTitle(title), MAX_TITLE) || `Request ${index}`,
    description: shownBeginning(rest.join('\n').trim(), MAX_DESCRIPTION),
    completed: false,
    files: deeds?.files.map(({ path }) => path).slice(0, MAX_FILES),
  }
}

async function linkTo(id: number, session: string, index: number): Promise<void> {
  try {
    await linkToRequest(id, session, index)
    say(`Task ${id} was added`)
  } catch (error) {
    say((error as Error).message)
  }
}
