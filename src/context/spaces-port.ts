import type { Caller } from '../core/tool.ts'

/** What the family needs to know of the spaces that people share. */
export interface ContextSpaces {
  /** Ids of those that a caller may read. */
  readableSpaces(caller: Caller): Promise<readonly string[]>
  /** The one of this id or name, if the caller may add to it. */
  require(
    caller: Caller,
    idOrName: string,
    act: 'contribute',
  ): Promise<{ readonly id: string; readonly name: string }>
}

/** A user's name does not begin with a control character, so no user's notes are in the scope of a space. */
export function scopeOfSpace(id: string): string {
  return `\u0001${id}`
}

/** Whose notes a search may look at: the caller's, and those of spaces that they may read. */
export function readableScopes({ user }: Caller, spaces: readonly string[]): string[] {
  return [user, ...spaces.map(scopeOfSpace)]
}
