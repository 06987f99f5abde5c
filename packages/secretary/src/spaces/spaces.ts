import { randomUUID } from 'node:crypto'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { nameOfProject } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'
import {
  type AuditEntry,
  EVERYBODY,
  type Invitation,
  SPACE_ROLES,
  type Space,
  type SpaceMember,
} from '../space.ts'
import {
  checkChangeable,
  checkMemberChange,
  checkProject,
  type MemberChange,
  may,
  nameTaken,
  notInvited,
  renamedMeanwhile,
  roleInEverybody,
  type SpaceAct,
  spaceNotFound,
} from './rules.ts'
import type { AuditFilter, SpaceStore } from './store/space-store.ts'

const CONTROL = /\p{Cc}/u
export const spaceRole = z.enum(SPACE_ROLES)
export const spaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z
    .string()
    .optional()
    .describe('Project whose team it is: where it is published, or its folder'),
  createdBy: z.string().optional(),
  createdAt: z.string(),
  role: spaceRole.describe('Your own'),
})
export const spaceMemberSchema = z.object({
  user: z.string(),
  role: spaceRole,
  isInvited: z.literal(true).optional().describe('Has not joined yet'),
})
export const invitationSchema = z.object({
  space: z.object({ id: z.string(), name: z.string(), project: z.string().optional() }),
  role: spaceRole.describe('Yours, once you join'),
  invitedBy: z.string(),
  invitedAt: z.string(),
})

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

  /**
   * Invites somebody, gives them another role or, without one, removes them. Everyone may remove themselves. True if they are now
   * invited and have to join themselves.
   */
  async changeMember(caller: Who, idOrName: string, change: MemberChange): Promise<boolean> {
    const { id } = await this.require(caller, idOrName, 'read')
    checkChangeable(id)
    return this.#store.changeMember(
      id,
      { ...change, invitedBy: caller.user, at: this.#now().toISOString() },
      (roles, invited) => checkMemberChange(roles, caller.user, change, invited),
      (roles, invited) => {
        const { user, role } = change
        const [former, asked] = [roles.get(user), invited.get(user)]
        const action =
          role === undefined ? (former ? 'remove' : 'uninvite') : former ? 'role' : 'invite'
        const text = [former ?? asked, role].filter(Boolean).join(' → ')
        return this.#entry(caller, id, action, { kind: 'member', id: user }, text)
      },
    )
  }

  invitations({ user }: Who): Promise<Invitation[]> {
    return this.#store.invitations(user)
  }

  /** Only the invited person can join or decline. */
  async answerInvitation(
    caller: Who,
    idOrName: string,
    accepts: boolean,
  ): Promise<Invitation['space']> {
    const all = (await this.invitations(caller)).map(({ space }) => space)
    // A name may be made to look like the id of another space.
    const space = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName)
    const subject = { kind: 'member', id: caller.user } as const
    const isAnswered =
      space !== undefined &&
      (await this.#store.answerInvitation(space.id, caller.user, accepts, (role) =>
        this.#entry(caller, space.id, accepts ? 'join' : 'decline', subject, role),
      ))
    if (!isAnswered) throw notInvited()
    return space
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

export const spaceName = z
  .string()
  .trim()
  .min(1, 'A name must not be empty')
  .max(50, 'A name must be at most 50 characters')
  .refine((name) => !CONTROL.test(name), 'A name must not contain control characters')

export const userName = z
  .string()
  .trim()
  .min(1, 'A user must not be empty')
  .max(200, 'A user must be at most 200 characters')
  .refine((name) => !CONTROL.test(name), 'A user must not contain control characters')

export const auditEntrySchema = z.object({
  at: z.string(),
  user: z.string().describe('Who did it'),
  space: z.string(),
  action: z.string(),
  subject: z.object({
    kind: z.enum(['space', 'member', 'task', 'discovery', 'document', 'request']),
    id: z.string(),
  }),
  text: z.string().describe('Names of what changed, never a shared text'),
})
