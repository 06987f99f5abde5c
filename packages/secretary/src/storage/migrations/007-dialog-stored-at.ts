import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** When the index took a dialog in, so that what feeds on dialogs misses none that was read late. */
export const dialogStoredAt: Migration = {
  name: '007-dialog-stored-at',
  async up(db) {
    await sql`alter table dialogs add column stored_at bigint not null default 0`.execute(db)
  },
}
