import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { mayNotChange, notFound } from './task-failures.ts'
import type { PlannedTask, TaskStore } from './task-store.ts'

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
