import { useEffect, useState } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { shownBeginning } from '../../parts/shown-text.ts'
import { say } from '../../parts/toasts.tsx'
import { useNear } from '../../parts/use-near.ts'
import { When } from '../../parts/when.tsx'
import { linkToRequest, type RequestLink } from '../tasks/request-links.ts'
import { addTask } from '../tasks/task-actions.ts'
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
  readonly onNear: () => void
}

const LONG = 4_000
const LONGEST_TITLE = 200

export function RequestItem({
  session,
  request,
  answer,
  deeds,
  isHere,
  marked,
  tasks,
  onNear,
}: RequestItemProps) {
  const [whole, setWhole] = useState(false)
  const [place, near] = useNear<HTMLLIElement>()
  useEffect(() => {
    if (near) onNear()
  }, [near, onNear])
  const { index, timestamp, request: text } = request
  const hasTasks = useFamily('tasks')
  const long = text.length > LONG
  const [busy, setBusy] = useState(false)
  const makeOne = async () => {
    if (busy) return
    setBusy(true)
    // One that was made stays so until the list of the dialog's tasks says it too.
    if (!(await makeTask(session, request))) setBusy(false)
  }
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
        <div class="request-words">
          <Markdown text={whole || !long ? text : shownBeginning(text, LONG)} headingsFrom={3} />
        </div>
        {long && (
          <button type="button" class="button quiet" onClick={() => setWhole(!whole)}>
            {whole ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`}
          </button>
        )}
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
        <span class="request-actions">
          <CopyButton text={() => text} />
          {hasTasks && tasks.length === 0 && (
            <button type="button" class="button quiet" aria-disabled={busy} onClick={makeOne}>
              Make a task
            </button>
          )}
        </span>
      </div>
      {answer === undefined && <span class="waiting-line reply-waiting" aria-hidden="true" />}
      {answer && <Reply session={session} answer={answer} />}
    </li>
  )
}

async function makeTask(session: string, { index, request }: RequestText): Promise<boolean> {
  const title = shownBeginning(request.trim().split('\n')[0]?.trim() ?? '', LONGEST_TITLE)
  const task = await addTask(title || `Request ${index}`)
  if (!task) return false
  try {
    await linkToRequest(task.id, session, index)
    say(`Task ${task.id} was added`)
  } catch (error) {
    say((error as Error).message)
  }
  return true
}
