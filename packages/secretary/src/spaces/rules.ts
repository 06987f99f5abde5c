import { Failure } from '@secretary-mcp/core/failure.ts'
import { namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { EVERYBODY, SPACE_ROLES, type Space, type SpaceRole } from '../space.ts'

/** What somebody wants to do in a space, and the least role that may. */
const LEAST = { read: 'reader', contribute: 'member', manage: 'operator' } as const
export type SpaceAct = keyof typeof LEAST

export type Roles = ReadonlyMap<string, SpaceRole>

export interface MemberChange {
  readonly user: string
  /** Undefined if the person is being removed. */
  readonly role?: SpaceRole
  /** The role that whoever changes it saw, null for none. */
  readonly before?: SpaceRole | null
}

export function may(role: SpaceRole, act: SpaceAct): boolean {
  return SPACE_ROLES.indexOf(role) >= SPACE_ROLES.indexOf(LEAST[act])
}

export function roleInEverybody({ role }: Pick<Caller, 'role'>): SpaceRole {
  return role === 'operator' ? 'operator' : 'member'
}

/** What roles at least may do this, for a filter. */
export function rolesThatMay(act: SpaceAct): SpaceRole[] {
  return SPACE_ROLES.filter((role) => may(role, act))
}

/** Operators change who belongs to a space and who is invited; everyone may leave; one operator always stays. */
export function checkMemberChange(
  roles: Roles,
  actor: string,
  change: MemberChange,
  invited: Roles = new Map(),
): void {
  const { user, role, before } = change
  const own = roles.get(actor)
  if (!own) throw spaceNotFound()
  const isLeaving = actor === user && role === undefined
  if (!isLeaving && !may(own, 'manage'))
    throw new Failure('forbidden', 'Only an operator of the space may change who belongs to it')
  const now = roles.get(user) ?? invited.get(user)
  if (role === undefined && now === undefined)
    throw new Failure('not_found', `${user} does not belong to the space`)
  if (before !== undefined && now !== role && (now ?? null) !== before)
    throw new Failure('changed_meanwhile', `Not changed: ${toldRole(user, now)}`)
  const others = [...roles].filter(([name, one]) => name !== user && one === 'operator')
  if (roles.get(user) === 'operator' && role !== 'operator' && others.length === 0)
    throw new Failure(
      'last_operator',
      'The last operator of a space cannot leave it or get another role; make somebody else an operator first',
    )
}

export function checkChangeable(space: string): void {
  if (space === EVERYBODY)
    throw new Failure(
      'forbidden',
      'Everyone here belongs to this space; its operators are the operators of the server',
    )
}

export function nameTaken(name: string): Failure {
  return new Failure('already_exists', `The name ${name} is taken; choose another one`)
}

/** A space of a project's team takes only what is of that project, from whichever clone or folder of it. */
export function checkProject({ name, project }: Space, folder: string | undefined): void {
  if (project === undefined || folder === undefined) return
  const isOfTeam = (one: string) => one === project || one.startsWith(`${project}/`)
  if (namesOfProject(folder).some(isOfTeam)) return
  throw new Failure('forbidden', `${name} is the space of another project's team: ${project}`, {
    instruction: 'Name a space of this project, or one that is not tied to a project.',
  })
}

function toldRole(user: string, role: SpaceRole | undefined): string {
  if (role === undefined) return `${user} no longer belongs to the space`
  return `${user} is ${role === 'operator' ? 'an' : 'a'} ${role} of it by now`
}

export function renamedMeanwhile(name: string): Failure {
  return new Failure('changed_meanwhile', `The space is now named “${name}”`, { data: { name } })
}

export function notInvited(): Failure {
  return new Failure('not_found', 'You are not invited to this space', {
    instruction:
      'Only the person decides what they join. Ask an operator of the space to invite them.',
  })
}

/** The same words whether it never was or is not the caller's to see. */
export function spaceNotFound(): Failure {
  return new Failure('not_found', 'Space not found', {
    instruction: 'Name a space that you belong to.',
  })
}
