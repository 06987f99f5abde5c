import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

const PAGE = 500

/**
 * What a discovery says in a form that repetition shares, what older one it follows, and everything it came from. Of old
 * repetitions the first has the key; the others stay as they are.
 */
export const discoverySources: Migration = {
  name: '012-discovery-sources',
  async up(db) {
    await sql`alter table discoveries add column said text`.execute(db)
    await sql`alter table discoveries add column follows text`.execute(db)
    await sql`alter table discoveries add column sources text not null default '[]'`.execute(db)
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = await sql<{ user_id: string; project: string; id: string; content: string }>`
        select user_id, project, id, content from discoveries order by user_id, project, id
        limit ${PAGE} offset ${offset}`.execute(db)
      for (const { user_id, project, id, content } of rows)
        await sql`update discoveries set said = ${saidOf(content)}
          where user_id = ${user_id} and project = ${project} and id = ${id}`.execute(db)
      if (rows.length < PAGE) break
    }
    await sql`create index discoveries_by_words on discoveries (user_id, project, type, said)`.execute(
      db,
    )
    await sql`create index discoveries_by_older on discoveries (user_id, project, follows)`.execute(
      db,
    )
  },
}

/** As the words were compared when this was written: a migration does not change with what it once called. */
function saidOf(content: string): string {
  const words = content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [content.trim()]
  const telling = words.filter((word) => !/^(?:a|an|the)$/.test(word))
  return createHash('sha256').update(telling.join(' ')).digest('hex').slice(0, 32)
}
