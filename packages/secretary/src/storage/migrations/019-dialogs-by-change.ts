import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Every change asks for the last one, and what feeds on dialogs for those since. */
export const dialogsByChange: Migration = {
  name: '019-dialogs-by-change',
  async up(db) {
    await sql`create index dialogs_by_change on dialogs (owner, stored_at)`.execute(db)
  },
}
