import { EVERYBODY } from '../../space.ts'
import type { Database } from '../../storage/database.ts'

/** Another one for every database that was ever made; a backup that is restored has that of the first. */
export async function databaseId(database: Database): Promise<string> {
  const { created_at } = await database.use((db) =>
    db
      .selectFrom('spaces')
      .select('created_at')
      .where('id', '=', EVERYBODY)
      .executeTakeFirstOrThrow(),
  )
  return created_at
}
