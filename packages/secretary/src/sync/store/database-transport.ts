import { EVERYBODY } from '../../space.ts'
import type { Database } from '../../storage/database.ts'
import type { Transport } from '../segment.ts'

/** The team's database between the machines of one user: every query names that user. */
export function databaseTransport(database: Database, user: string): Transport {
  return {
    async begin() {},
    list: () =>
      database.use((db) =>
        db
          .selectFrom('sync_segments')
          .select(['machine', 'generation', 'sequence'])
          .where('user_id', '=', user)
          .execute(),
      ),
    async read({ machine, generation, sequence }) {
      const row = await database.use((db) =>
        db
          .selectFrom('sync_segments')
          .select('content')
          .where('user_id', '=', user)
          .where('machine', '=', machine)
          .where('generation', '=', generation)
          .where('sequence', '=', sequence)
          .executeTakeFirst(),
      )
      return row && Buffer.from(row.content, 'base64')
    },
    async write(name, bytes) {
      const content = Buffer.from(bytes).toString('base64')
      const written_at = new Date().toISOString()
      await database.use((db) =>
        db
          .insertInto('sync_segments')
          .values({ user_id: user, ...name, content, written_at })
          .execute(),
      )
    },
    async remove(names) {
      for (const { machine, generation, sequence } of names)
        await database.use((db) =>
          db
            .deleteFrom('sync_segments')
            .where('user_id', '=', user)
            .where('machine', '=', machine)
            .where('generation', '=', generation)
            .where('sequence', '=', sequence)
            .execute(),
        )
    },
    async finish() {},
  }
}

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
