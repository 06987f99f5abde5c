import type { Caller } from '@secretary-mcp/core/tool.ts'
import { withinTime } from '@secretary-mcp/core/within-time.ts'

const WAIT_MS = 1_000

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

/** Ids of the spaces that a caller may read; where the database does not answer, a search goes on with their own notes. */
export async function spacesOf(
  caller: Caller,
  spaces: ContextSpaces | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!spaces) return []
  let readable: readonly string[] = []
  const asked = spaces.readableSpaces(caller).then(
    (ids) => {
      readable = ids
    },
    () => {},
  )
  await withinTime(asked, WAIT_MS, signal)
  return readable
}
