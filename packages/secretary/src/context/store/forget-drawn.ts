import type { Database } from '../../storage/database.ts'

const MOST_AT_ONCE = 500

/** Removes the discoveries that were drawn from a user's dialogs, and says which they were. Recorded ones stay. */
export async function forgetDrawn(
  database: Database,
  user: string,
  sessions: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < sessions.length; start += MOST_AT_ONCE) {
    const rows = await database.use((db) =>
      db
        .deleteFrom('discoveries')
        .where('user_id', '=', user)
        .where('origin', '=', 'dialog')
        .where('session', 'in', sessions.slice(start, start + MOST_AT_ONCE))
        .returning('id')
        .execute(),
    )
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}
