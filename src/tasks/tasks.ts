import { Result } from '../core/result.ts'
import type { NewTask, Task, TaskChanges, TaskFilter, TaskStore } from './task-store.ts'

interface Page {
  readonly tasks: readonly Task[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** What is left to do, for each user alone. */
export class Tasks {
  readonly #store: TaskStore
  readonly #now: () => Date

  constructor(store: TaskStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  async add(user: string, task: NewTask): Promise<Result<{ task: Task }>> {
    return Result.ok({ task: await this.#store.add(user, task, this.#stamp()) })
  }

  async list(user: string, filter: TaskFilter): Promise<Result<Page>> {
    const { tasks, total } = await this.#store.list(user, filter)
    return Result.ok({ tasks, total, limit: filter.limit, offset: filter.offset })
  }

  async complete(user: string, id: number): Promise<Result<{ task: Task; message: string }>> {
    const task = await this.#store.complete(user, id, this.#stamp())
    if (task) return Result.ok({ task, message: `Task '${task.title}' marked as complete` })
    const known = await this.#store.find(user, id)
    return known ? Result.failure('Task already completed', 'already_completed') : notFound()
  }

  async update(user: string, id: number, changes: TaskChanges): Promise<Result<{ task: Task; message: string }>> {
    const task = await this.#store.update(user, id, changes, this.#stamp())
    return task ? Result.ok({ task, message: 'Task updated successfully' }) : notFound()
  }

  async remove(user: string, id: number): Promise<Result<{ deleted_task_id: number; message: string }>> {
    const removed = await this.#store.remove(user, id)
    return removed ? Result.ok({ deleted_task_id: id, message: 'Task deleted successfully' }) : notFound()
  }

  #stamp(): string {
    return this.#now().toISOString()
  }
}

/** The same words whether it never was or is somebody else's. */
function notFound(): Result<never> {
  return Result.failure('Task not found', 'not_found', { instruction: 'Call list_tasks to see the ids there are.' })
}
