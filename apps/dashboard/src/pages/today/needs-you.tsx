import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { changed } from '../../live/topics.ts'
import { type Query, useQuery } from '../../live/use-query.ts'
import { AgentMark } from '../../parts/agent-mark.tsx'
import { plainTitle, shownBeginning } from '../../parts/shown-text.ts'
import { say } from '../../parts/toasts.tsx'
import { When } from '../../parts/when.tsx'
import type { Task, TaskList } from '../tasks/task.ts'
import { leaving, setCompleted } from '../tasks/task-actions.ts'
import { TaskForm } from '../tasks/task-form.tsx'
import type { Need } from './today-data.ts'

const SHOWN_TASKS = 5
/** Enough to fill the list where some were dismissed. */
const READ_TASKS = 50

const REASONS: Readonly<Record<Need['kind'], readonly [reason: string, action: string]>> = {
  unanswered: ['Asks you', 'Answer'],
  failing: ['Failing', 'See it'],
  interrupted: ['Interrupted', 'Continue'],
}

interface NeedsYouProps {
  readonly needs: readonly Need[]
  readonly dismissed: readonly string[]
  readonly tasks: Query<TaskList>
}

/** Only what is proven to wait for the person, each with why, a way on, and a way out. */
export function NeedsYou({ needs, dismissed, tasks }: NeedsYouProps) {
  const hasTasks = useFamily('tasks')
  const gone = useStore(leaving)
  const [edited, setEdited] = useState<Task>()
  const all = tasks.value?.tasks ?? []
  const isDismissed = ({ id }: Task) => dismissed.includes(needOfTask(id))
  const open = all.filter((task) => !gone.has(task.id) && !isDismissed(task))
  const total = (tasks.value?.total ?? 0) - all.filter(isDismissed).length
  const shown = open.slice(0, SHOWN_TASKS)
  return (
    <section class="needs">
      <h2 class="section-title">
        Needs you <span class="count">{needs.length + total || ''}</span>
      </h2>
      {needs.length + total === 0 && (
        <p class="quiet-line">
          Nothing waits for you.{' '}
          {hasTasks && <a href={pathTo(['tasks'], { new: 1 })}>Add a task</a>}
        </p>
      )}
      <ul class="needs-list">
        {needs.map((need) => (
          <NeedRow key={need.need} need={need} />
        ))}
        {shown.map((task) => (
          <li class="need" data-kind="task" key={task.id}>
            <p class="need-head">
              <input
                type="checkbox"
                aria-label={task.title}
                checked={task.completed}
                onChange={() => setCompleted(task, true)}
              />
              <button type="button" class="row-title" onClick={() => setEdited(task)}>
                {task.title}
              </button>
            </p>
            <p class="need-foot">
              <span class="quiet-line">Open task</span>
              <Dismiss need={needOfTask(task.id)} title={task.title} />
            </p>
          </li>
        ))}
      </ul>
      {hasTasks && total > 0 && (
        <p class="quiet-line">
          <a href={pathTo(['tasks'])}>
            {total > shown.length
              ? `${(total - shown.length).toLocaleString()} more open tasks`
              : 'Open tasks'}
          </a>
        </p>
      )}
      {edited && <TaskForm key={edited.id} task={edited} onClose={() => setEdited(undefined)} />}
    </section>
  )
}

function NeedRow({ need }: { readonly need: Need }) {
  const { kind, sessionId, index, source, title, timestamp, question, failed } = need
  const [reason, action] = REASONS[kind]
  const detail = question ?? failed
  const name = plainTitle(title)
  const href = pathTo(['dialogs'], { session: sessionId, at: index })
  return (
    <li class="need" data-kind={kind}>
      <p class="need-head">
        <AgentMark source={source} />
        <a class="row-link need-title" href={href}>
          {name}
        </a>
      </p>
      {detail && <p class="need-detail">{plainTitle(detail)}</p>}
      <p class="need-foot">
        <span class="outcome" data-state="open">
          {reason}
        </span>
        <When at={timestamp} />
        <a class="button quiet" href={href} aria-label={`${action}: ${name}`}>
          {action}
        </a>
        <Dismiss need={need.need} title={name} />
      </p>
    </li>
  )
}

/** Takes something off Today for good. */
export function Dismiss({ need, title }: { readonly need: string; readonly title: string }) {
  const [isBusy, setBusy] = useState(false)
  const dismiss = async () => {
    setBusy(true)
    if (await setDismissed(need, true))
      say(`Dismissed: ${shownBeginning(title, 60)}`, () => void setDismissed(need, false))
    setBusy(false)
  }
  return (
    <button
      type="button"
      class="button quiet"
      disabled={isBusy}
      aria-label={`Dismiss: ${title}`}
      onClick={dismiss}
    >
      Dismiss
    </button>
  )
}

async function setDismissed(need: string, dismissed: boolean): Promise<boolean> {
  try {
    await call('put /api/v1/today/dismissed', { body: { need, dismissed } })
    changed('dialogs')
    return true
  } catch (error) {
    say((error as Error).message)
    return false
  }
}

function needOfTask(id: number): string {
  return `task ${id}`
}

export function useOpenTasks(): Query<TaskList> {
  const on = useFamily('tasks')
  return useQuery(on ? 'open tasks' : undefined, 'tasks', newestOpen)
}

/** The server lists the oldest first; the newest are at the end. */
async function newestOpen(signal: AbortSignal): Promise<TaskList> {
  const open = (limit: number, offset?: number) =>
    call('get /api/v1/tasks', { query: { completed: false, limit, offset }, signal })
  const first = await open(READ_TASKS)
  const { total } = first
  const newest = total > READ_TASKS ? await open(READ_TASKS, total - READ_TASKS) : first
  return { ...newest, tasks: newest.tasks.toReversed() }
}
