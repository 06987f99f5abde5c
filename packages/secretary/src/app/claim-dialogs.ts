import { hostname } from 'node:os'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { isCarried } from '../dialogs/carrying/carried-key.ts'
import type { DialogStore } from '../dialogs/dialog-store.ts'
import { type DialogClaim, isStranger } from '../dialogs/keeping/dialog-claim.ts'
import { homeOf } from '../dialogs/keeping/missing-file.ts'
import { dialogClaims } from '../dialogs/store/dialog-claims.ts'
import type { Database } from '../storage/database.ts'

interface ClaimParts {
  readonly database: Database
  readonly user: string
  readonly sources: readonly Source[]
  readonly store: DialogStore
}

/** Whose the dialogs are that a file without an owner holds. Those of others that came into this user's index from it leave it. */
export async function claimDialogs(
  { database, user, sources, store }: ClaimParts,
  keys: readonly string[],
): Promise<DialogClaim[]> {
  const known = await dialogClaims(database, { user, host: hostname() }, keys)
  const claims = keys.map((key) => ({
    key,
    ...(known.get(key) ?? { isOthers: false }),
    isInOwnFolder: homeOf(key, sources) !== undefined,
  }))
  // Of what came with a sync nobody can say whose index had it first.
  const strangers = claims.filter((claim) => isStranger(claim) && !isCarried(claim))
  if (strangers.length > 0) await store.remove(strangers.map(({ key }) => key))
  return claims
}
