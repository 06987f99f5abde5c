import type { AuditEntry, Invitation, Space, SpaceMember, SpaceRole } from '../space.ts'
import type { MemberChange, Roles } from './rules.ts'

export type NewSpace = Omit<Space, 'role' | 'createdBy'> & { readonly createdBy: string }

export interface AuditFilter {
  readonly limit: number
  readonly offset: number
}

/** What spaces need from storage. A person's role in the built-in space is not stored: it comes as `member`. */
export interface SpaceStore {
  /** With whoever creates it as its operator; false where the name is taken. */
  create(space: NewSpace, entry: AuditEntry): Promise<boolean>
  /** Those that a person belongs to, by name. */
  list(user: string): Promise<Space[]>
  /** By id or by name, among those that a person belongs to. */
  find(user: string, idOrName: string): Promise<Space | undefined>
  /** False where the new name is taken, and where the old one no longer is its name. */
  rename(
    space: string,
    names: { readonly from: string; readonly to: string },
    entry: AuditEntry,
  ): Promise<boolean>
  /** Its tasks go back to their owners; everything else that it holds goes with it, its log too. */
  remove(space: string): Promise<void>
  /** Who belongs to it, and who is invited. */
  members(space: string): Promise<SpaceMember[]>
  /**
   * One change at a time for each space: `check` sees who belongs to it and who is invited, and throws if the change is not allowed.
   * Whoever does not belong to it yet is invited; true in that case.
   */
  changeMember(
    space: string,
    change: MemberChange & { readonly invitedBy: string; readonly at: string },
    check: (roles: Roles, invited: Roles) => void,
    entry: (roles: Roles, invited: Roles) => AuditEntry,
  ): Promise<boolean>
  /** The spaces that a person is invited to, the latest first. */
  invitations(user: string): Promise<Invitation[]>
  /** Makes an invited person belong to the space, or takes the invitation away; false if there is none. */
  answerInvitation(
    space: string,
    user: string,
    accepts: boolean,
    entry: (role: SpaceRole) => AuditEntry,
  ): Promise<boolean>
  /** The latest first. */
  audit(space: string, filter: AuditFilter): Promise<{ entries: AuditEntry[]; total: number }>
}
