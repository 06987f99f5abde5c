/** What speaks for and against a dialog of a file without an owner being a user's. */
export interface DialogClaim {
  readonly key: string
  /** Whether the user's own index has it, or had it until it was removed. */
  readonly mine?: 'there' | 'removed'
  /** Whether another user's index on this machine has it or had it. */
  readonly isOthers: boolean
  /** Whether its file is, or was, where the user's agents store theirs. */
  readonly isInOwnFolder: boolean
}

/**
 * Two of three say so. No sign is enough alone: an index was lost, a folder was moved, and an index has taken in what others kept
 * in the same file.
 */
export function isClaimed({ mine, isOthers, isInOwnFolder }: DialogClaim): boolean {
  return [mine !== undefined, !isOthers, isInOwnFolder].filter(Boolean).length >= 2
}

/** It came into the user's index from what another user kept. */
export function isStranger({ mine, isOthers, isInOwnFolder }: DialogClaim): boolean {
  return mine === 'there' && isOthers && !isInOwnFolder
}
