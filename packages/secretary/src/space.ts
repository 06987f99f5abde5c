/** What a person may do in a space, from the least to the most. */
export const SPACE_ROLES = ['reader', 'member', 'operator'] as const
export type SpaceRole = (typeof SPACE_ROLES)[number]

/** The built-in space: everyone is a member of it without being added, and the server's operators are its operators. */
export const EVERYBODY = 'everybody'

/** What a group of people shares, as one of them sees it. */
export interface Space {
  readonly id: string
  readonly name: string
  /** The project whose team it is: where that is published, or its folder. */
  readonly project?: string
  readonly createdBy?: string
  /** ISO 8601. */
  readonly createdAt: string
  /** The caller's. */
  readonly role: SpaceRole
}

export interface SpaceMember {
  readonly user: string
  readonly role: SpaceRole
  /** They have not joined: nothing of the space reaches them, and they share nothing with it. */
  readonly isInvited?: true
}

/** A space that somebody is asked to join. */
export interface Invitation {
  readonly space: { readonly id: string; readonly name: string; readonly project?: string }
  readonly role: SpaceRole
  readonly invitedBy: string
  /** ISO 8601. */
  readonly invitedAt: string
}

/** One change of a space or of something in it. It names fields and people, never what a shared text says. */
export interface AuditEntry {
  readonly at: string
  readonly user: string
  readonly space: string
  readonly action: string
  readonly subject: {
    readonly kind: 'space' | 'member' | 'task' | 'discovery' | 'document' | 'request'
    readonly id: string
  }
  readonly text: string
}

/** Whether something may be told: the person's own always, what a space shares if no list is given or the space is in it. */
export function isFromChosen(
  space: string | undefined,
  chosen: readonly string[] | undefined,
): boolean {
  return space === undefined || chosen === undefined || chosen.includes(space)
}
