import { randomUUID } from 'node:crypto'
import { Failure } from '../core/failure.ts'
import { nameOfProject } from '../core/files/repository.ts'
import { redact } from '../core/redact.ts'
import type { Caller } from '../core/tool.ts'
import {
  checkChangeable,
  checkMemberChange,
  checkProject,
  type MemberChange,
  may,
  nameTaken,
  renamedMeanwhile,
  roleInEverybody,
  type SpaceAct,
  spaceNotFound,
} from './rules.ts'
import { type AuditEntry, EVERYBODY, type Space, type SpaceMember } from './space.ts'
import type { AuditFilter, SpaceStore } from './space-store.ts'

type Who = Pick<Caller, 'user' | 'role'> & Partial<Pick<Caller, 'project'>>

/** What a group shares: who belongs to it, as what, and who changed that. */
export class Spaces {
  readonly #store: SpaceStore
  readonly #now: () => Date

  constructor(store: SpaceStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Whoever creates a space is its first operator. With a project's folder it is the space of that project's team. */
  async create(caller: Who, name: string, folder?: string): Promise<Space> {
    const id = randomUUID()
    const shown = redact(name)
    const createdAt = this.#now().toISOString()
    const project = folder === undefined ? undefined : nameOfProject(folder)
    const space = { id, name: shown, createdBy: caller.user, createdAt, project }
    const subject = { kind: 'space', id } as const
    const entry = this.#entry(caller, id, 'create', subject, shown)
    if (!(await this.#store.create(space, entry))) throw nameTaken(shown)
    return { ...space, role: 'operator' }
  }

  /** From the name that the caller saw, where that is given. */
  async rename(caller: Who, idOrName: string, name: string, before?: string): Promise<Space> {
    const space = await this.require(caller, idOrName, 'manage')
    checkChangeable(space.id)
    const shown = redact(name)
    if (shown === space.name) return space
    if (before !== undefined && before !== space.name) throw renamedMeanwhile(space.name)
    const subject = { kind: 'space', id: space.id } as const
    const entry = this.#entry(caller, space.id, 'rename', subject, `${space.name} → ${shown}`)
    const names = { from: space.name, to: shown }
    if (await this.#store.rename(space.id, names, entry)) return { ...space, name: shown }
    const now = await this.require(caller, space.id, 'manage')
    throw now.name === space.name ? nameTaken(shown) : renamedMeanwhile(now.name)
  }

  /** For good: what people had in it alone is theirs again, what belonged to the space is gone. */
  async remove(caller: Who, idOrName: string): Promise<Space> {
    const space = await this.require(caller, idOrName, 'manage')
    checkChangeable(space.id)
    await this.#store.remove(space.id)
    return space
  }

  async list(caller: Who): Promise<Space[]> {
    return (await this.#store.list(caller.user)).map((space) => seenBy(caller, space))
  }

  /** The ids of the spaces that a caller may read. */
  async readableSpaces(caller: Who): Promise<string[]> {
    return (await this.#store.list(caller.user)).map(({ id }) => id)
  }

  /** The space, by id or name, if the caller may do this in it. */
  async require(caller: Who, idOrName: string, act: SpaceAct): Promise<Space> {
    const found = await this.#store.find(caller.user, idOrName)
    if (!found) throw spaceNotFound()
    const space = seenBy(caller, found)
    if (!may(space.role, act))
      throw new Failure(
        'forbidden',
        `You are a ${space.role} of ${space.name}, which does not allow this`,
        { instruction: 'Do not look for another way. Tell the person to ask an operator of it.' },
      )
    if (act === 'contribute') checkProject(space, caller.project)
    return space
  }

  async members(caller: Who, idOrName: string): Promise<SpaceMember[]> {
    return this.#store.members((await this.require(caller, idOrName, 'read')).id)
  }

  /** Adds somebody, gives them another role or, without one, removes them. Everyone may remove themselves. */
  async changeMember(caller: Who, idOrName: string, change: MemberChange): Promise<void> {
    const { id } = await this.require(caller, idOrName, 'read')
    checkChangeable(id)
    await this.#store.changeMember(
      id,
      change,
      (roles) => checkMemberChange(roles, caller.user, change),
      (before) => {
        const { user, role } = change
        const former = before.get(user)
        const action = role === undefined ? 'remove' : former === undefined ? 'add' : 'role'
        const text = [former, role].filter(Boolean).join(' → ')
        return this.#entry(caller, id, action, { kind: 'member', id: user }, text)
      },
    )
  }

  async audit(
    caller: Who,
    idOrName: string,
    filter: AuditFilter,
  ): Promise<{ entries: AuditEntry[]; total: number }> {
    return this.#store.audit((await this.require(caller, idOrName, 'read')).id, filter)
  }

  #entry(
    { user }: Who,
    space: string,
    action: string,
    subject: AuditEntry['subject'],
    text: string,
  ): AuditEntry {
    return { at: this.#now().toISOString(), user, space, action, subject, text: redact(text) }
  }
}

function seenBy(caller: Who, space: Space): Space {
  return space.id === EVERYBODY ? { ...space, role: roleInEverybody(caller) } : space
}
