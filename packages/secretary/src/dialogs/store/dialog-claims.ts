import type { Database } from '../../storage/database.ts'
import type { DialogClaim } from '../keeping/dialog-claim.ts'

const MOST_KEYS = 500

interface Person {
  readonly user: string
  readonly host: string
}

/** Who has these dialogs in their index: this user on any machine, as hosts are renamed, and others on this one. */
export async function dialogClaims(
  database: Database,
  { user, host }: Person,
  keys: readonly string[],
): Promise<Map<string, Pick<DialogClaim, 'mine' | 'isOthers'>>> {
  const claims = new Map<string, Pick<DialogClaim, 'mine' | 'isOthers'>>()
  for (let start = 0; start < keys.length; start += MOST_KEYS) {
    const some = keys.slice(start, start + MOST_KEYS)
    const rows = await database.use((db) =>
      db
        .selectFrom('dialogs')
        .select(['owner', 'key', 'removed'])
        .where('key', 'in', some)
        .execute(),
    )
    for (const { owner, key, removed } of rows) {
      const { mine, isOthers = false } = claims.get(key) ?? {}
      const person = personOf(owner)
      if (person.user === user)
        claims.set(key, { mine: removed && mine !== 'there' ? 'removed' : 'there', isOthers })
      else if (person.host === host) claims.set(key, { mine, isOthers: true })
    }
  }
  return claims
}

/** Whether anybody else has used this machine with this database. */
export async function hasOtherUsers(database: Database, { user, host }: Person): Promise<boolean> {
  const rows = await database.use((db) =>
    db.selectFrom('dialogs').select('owner').distinct().execute(),
  )
  return rows
    .map(({ owner }) => personOf(owner))
    .some((one) => one.host === host && one.user !== user)
}

/** No host has the sign in its name; a user may. */
function personOf(owner: string): Person {
  const at = owner.lastIndexOf('@')
  return { user: owner.slice(0, at), host: owner.slice(at + 1) }
}
