import { ApiError, call } from '../../live/api.ts'
import type { GivenFor } from '../../live/api-types.ts'
import { whenPersonLeaves } from '../../live/person.ts'
import { createStore } from '../../live/store.ts'
import { changed } from '../../live/topics.ts'
import { shownBeginning } from '../../parts/shown-text.ts'
import { say, UNDO_MS } from '../../parts/toasts.tsx'
import { baseOf, type Task } from './task.ts'

type TaskChanges = Omit<GivenFor<'patch /api/v1/tasks/{id}'>[0]['body'], 'base'>

/** Tasks that will be deleted when the time for a change of mind is over. */
export const leaving = createStore<ReadonlyMap<number, Leaving>>(new Map())

interface Leaving {
  /** As the person saw it: what others change meanwhile keeps it. */
  readonly task: Task
  readonly timer: ReturnType<typeof setTimeout>
}

export async function addTask(
  title: string,
  more: Omit<GivenFor<'post /api/v1/tasks'>[0]['body'], 'title'> = {},
): Promise<Task | undefined> {
  return reportingFailure(async () => {
    const { task } = await call('post /api/v1/tasks', { body: { title, ...more } })
    changed('tasks')
    return task
  })
}

export async function changeTask(seen: Task, changes: TaskChanges): Promise<Task | undefined> {
  return reportingFailure(() => saveTask(seen, changes))
}

/** On top of what the person saw: what others changed meanwhile is merged, or the change is refused. */
export async function saveTask(seen: Task, changes: TaskChanges): Promise<Task> {
  const body = { ...changes, base: baseOf(seen, changes) }
  const { task } = await call('patch /api/v1/tasks/{id}', { params: { id: seen.id }, body })
  changed('tasks')
  return task
}

export async function setCompleted(task: Task, completed: boolean): Promise<void> {
  const done = await changeTask(task, { completed })
  if (done)
    say(`${completed ? 'Completed' : 'Reopened'}: ${cut(task.title)}`, () =>
      changeTask(done, { completed: !completed }),
    )
}

/** Nothing can bring a deleted task back, so it is only deleted once nobody has undone it. */
export function deleteTask(task: Task): void {
  const { id, title } = task
  if (leaving.get().has(id)) return
  const timer = setTimeout(() => finish(task), UNDO_MS)
  leaving.set(new Map(leaving.get()).set(id, { task, timer }))
  say(`Deleted: ${cut(title)}`, () => keepTask(id))
}

export function keepTask(id: number): void {
  clearTimeout(leaving.get().get(id)?.timer)
  forget(id)
}

async function finish({ id, updated_at = 'never' }: Task, keepalive = false): Promise<void> {
  const given = { params: { id }, query: { updated_at }, keepalive }
  await reportingFailure(async () => {
    await call('delete /api/v1/tasks/{id}', given).catch((error: unknown) => {
      // An agent was quicker: it is gone, which is what was wanted.
      if (!(error instanceof ApiError && error.status === 404)) throw error
    })
    changed('tasks')
  })
  forget(id)
}

function forget(id: number): void {
  const rest = new Map(leaving.get())
  rest.delete(id)
  leaving.set(rest)
}

function finishAll(): void {
  for (const { task, timer } of leaving.get().values()) {
    clearTimeout(timer)
    void finish(task, true)
  }
}

// A closed page does not change its mind any more, nor does somebody who signs out.
window.addEventListener('pagehide', finishAll)
whenPersonLeaves((mayStillAct) => {
  if (mayStillAct) finishAll()
  for (const { timer } of leaving.get().values()) clearTimeout(timer)
  leaving.set(new Map())
})

async function reportingFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    say((error as Error).message)
    changed('tasks')
    return undefined
  }
}

function cut(title: string): string {
  return shownBeginning(title, 60)
}
