import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** A dialog that was deleted leaves a mark, so that what feeds on dialogs hears of it. */
export const dialogsRemoved: Migration = {
  name: '013-dialogs-removed',
  async up(db) {
    await sql`alter table dialogs add column removed integer not null default 0`.execute(db)
  },
}
