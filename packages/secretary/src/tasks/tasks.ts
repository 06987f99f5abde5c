import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Reminders } from '@secretary-mcp/core/reminders.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import {
  type ChangesOf,
  MAX,
  type NewTask,
  type PlannedTask,
  type SeenTask,
  type Task,
  type TaskChanges,
  type TaskFacets,
  type TaskFilter,
  type TaskStore,
} from './task.ts'

interface Page {
  readonly tasks: readonly PlannedTask[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** What is left to do, for each user alone. */
export class Tasks {
  readonly #store: TaskStore
  readonly #reminders?: Pick<Reminders, 'add'>
  readonly #now: () => Date

  constructor(
    store: TaskStore,
    reminders?: Pick<Reminders, 'add'>,
    now: () => Date = () => new Date(),
  ) {
    this.#store = store
    this.#reminders = reminders
    this.#now = now
  }

  async add(user: string, task: NewTask): Promise<Result<{ task: Task }>> {
    return Result.ok({ task: shownTask(await this.#store.add(user, task, this.#stamp())) })
  }

  async list(user: string, filter: TaskFilter): Promise<Page> {
    const { tasks, total } = await this.#store.list(user, filter)
    return { tasks, total, limit: filter.limit, offset: filter.offset }
  }

  async require(user: string, id: number): Promise<PlannedTask> {
    const task = Number.isSafeInteger(id) ? await this.#store.find(user, id) : undefined
    if (!task) throw notFound()
    return task
  }

  facets(user: string): Promise<TaskFacets> {
    return this.#store.facets(user)
  }

  /** How far it is, how it ranks and what it is about. */
  async plan(user: string, id: number, plan: TaskChanges | ChangesOf): Promise<PlannedTask> {
    const task = Number.isSafeInteger(id)
      ? await this.#store.update(user, id, plan, this.#stamp())
      : undefined
    if (!task) throw await this.#whyNot(user, id)
    return task
  }

  async complete(caller: Caller, id: number): Promise<Result<{ task: Task; message: string }>> {
    const { user } = caller
    const task = await this.#store.complete(user, id, this.#stamp())
    if (task) {
      await this.#remindOfOpen(caller)
      return Result.ok({
        task: shownTask(task),
        message: `Task '${task.title}' marked as complete`,
      })
    }
    const known = await this.#store.find(user, id)
    if (!known?.completed) throw known ? mayNotChange(known) : notFound()
    throw new Failure('already_completed', 'Task already completed')
  }

  async update(
    user: string,
    id: number,
    changes: TaskChanges,
  ): Promise<Result<{ task: Task; message: string }>> {
    const task = await this.#store.update(user, id, changes, this.#stamp())
    if (!task) throw await this.#whyNot(user, id)
    return Result.ok({ task: shownTask(task), message: 'Task updated successfully' })
  }

  async remove(
    { user, role }: Caller,
    id: number,
    seen?: SeenTask,
  ): Promise<Result<{ deleted_task_id: number; message: string }>> {
    if (!(await this.#store.remove(user, id, this.#stamp(), role === 'operator', seen)))
      throw await this.#whyNot(user, id, seen)
    return Result.ok({ deleted_task_id: id, message: 'Task deleted successfully' })
  }

  async #whyNot(user: string, id: number, seen?: SeenTask): Promise<Failure> {
    const known = Number.isSafeInteger(id) ? await this.#store.find(user, id) : undefined
    if (known && seen && (known.updated_at ?? null) !== seen.updatedAt) return changedSince(known)
    return known ? mayNotChange(known) : notFound()
  }

  /** Whoever has just finished something is told what is left, beside the answer. */
  async #remindOfOpen(caller: Caller): Promise<void> {
    if (!this.#reminders) return
    const { tasks, total } = await this.#store.list(caller.user, {
      completed: false,
      limit: 1,
      offset: 0,
    })
    const [next] = tasks
    const from =
      next?.space === undefined
        ? ''
        : `, of ${quoteLine(next.owner ?? 'somebody')} in the space ${quoteLine(next.space)}`
    if (next)
      this.#reminders.add(
        caller,
        'open-tasks',
        `${total} ${total === 1 ? 'task is' : 'tasks are'} still open; the oldest is ${next.id}${from}: ${quoteLine(next.title)}`,
      )
  }

  #stamp(): string {
    return this.#now().toISOString()
  }
}

/** The spaces in which a caller may do something. */
interface Spaces {
  require(caller: Caller, idOrName: string, act: 'contribute'): Promise<{ readonly id: string }>
}

/** A task stays its owner's: they share it with the members of a space, and take it back. */
export class TaskSharing {
  readonly #store: Pick<TaskStore, 'find' | 'share' | 'takeBack'>
  readonly #spaces: Spaces

  constructor(store: Pick<TaskStore, 'find' | 'share' | 'takeBack'>, spaces: Spaces) {
    this.#store = store
    this.#spaces = spaces
  }

  async share(caller: Caller, id: number, space: string): Promise<PlannedTask> {
    const known = await this.#require(caller, id)
    const { id: spaceId } = await this.#spaces.require(caller, space, 'contribute')
    const shared = await this.#store.share(caller.user, id, spaceId, new Date().toISOString())
    if (shared) return shared
    throw known.space
      ? new Failure('forbidden', 'Only the owner of a task may share it with another space')
      : notFound()
  }

  async takeBack(caller: Caller, id: number): Promise<void> {
    const known = await this.#require(caller, id)
    if (!known.space) return
    const now = new Date().toISOString()
    if (!(await this.#store.takeBack(caller.user, id, now, caller.role === 'operator')))
      throw mayNotChange(known)
  }

  async #require({ user }: Caller, id: number): Promise<PlannedTask> {
    const known = Number.isSafeInteger(id) ? await this.#store.find(user, id) : undefined
    if (!known) throw notFound()
    return known
  }
}

/** The same words whether it never was or is somebody else's. */
function notFound(): Failure {
  return new Failure('not_found', 'Task not found', {
    instruction: 'Call `list_tasks` to see the ids.',
  })
}

/** Somebody changed it after the caller had last seen it. */
function changedSince(task: PlannedTask): Failure {
  return new Failure('changed_meanwhile', `“${task.title}” was changed meanwhile and is kept`, {
    data: { task },
  })
}

/** It is shared with the caller, whose role does not allow the change. */
function mayNotChange({ space }: PlannedTask): Failure {
  return new Failure(
    'forbidden',
    `Your role in the space ${space} does not allow this change: members may edit and complete its tasks, and a task’s owner or an operator of the space may delete it or stop sharing it`,
    { instruction: 'Do not look for another way. Tell the person to ask an operator of it.' },
  )
}

/** As the tools show it. */
export function shownTask({ project: _, position: __, ...task }: PlannedTask): Task {
  return task
}

/** What the fields of a task said when somebody began to edit them. */
export type TaskBase = { readonly [K in keyof TaskChanges]: TaskChanges[K] | null }

/**
 * What to change in a task that others may have changed since: lists take what was added and lose what was removed; of a text or a
 * choice that two have changed differently, neither is lost in silence.
 */
export function changesOnTop(task: PlannedTask, changes: TaskChanges, base: TaskBase): TaskChanges {
  const current = fieldsOf(task)
  const names = Object.keys(changes) as (keyof TaskChanges)[]
  const others = names.filter((name) => {
    const [wanted, seen, now] = [changes[name], base[name], current[name] ?? null]
    return !Array.isArray(wanted) && seen !== undefined && now !== seen && now !== wanted
  })
  if (others.length > 0) {
    const said = others.map((name) => `its ${name} is now “${current[name] ?? ''}”`).join(', ')
    throw new Failure('changed_meanwhile', `Task ${task.id} was changed meanwhile: ${said}`, {
      data: { fields: others, task },
    })
  }
  const merged = (name: 'labels' | 'files') => {
    const [wanted, seen] = [changes[name], base[name]]
    if (!wanted || !seen) return {}
    const kept = current[name].filter((one) => wanted.includes(one) || !seen.includes(one))
    return { [name]: within(name, [...kept, ...wanted.filter((one) => !seen.includes(one))]) }
  }
  return { ...changes, ...merged('labels'), ...merged('files') }
}

/** What is given is added to the lists that the task has, or removed from them; the rest of them stays. */
export function changedLists(task: PlannedTask, changes: TaskChanges, how: 'add' | 'remove') {
  const changed = (name: 'labels' | 'files') => {
    const [given, known] = [changes[name], task[name] ?? []]
    if (!given) return {}
    const next = how === 'add' ? [...known, ...given] : known.filter((one) => !given.includes(one))
    return { [name]: within(name, next) }
  }
  return { ...changes, ...changed('labels'), ...changed('files') }
}

function within(name: 'labels' | 'files', items: readonly string[]): string[] {
  const unique = [...new Set(items)]
  if (unique.length > MAX[name])
    throw new Failure('validation_error', `A task has at most ${MAX[name]} ${name}`)
  return unique
}

function fieldsOf({ completed, labels = [], files = [], ...task }: PlannedTask) {
  return {
    ...task,
    description: task.description ?? '',
    completed,
    state: completed ? 'done' : (task.state ?? 'open'),
    priority: task.priority ?? 'normal',
    labels,
    files,
  }
}
