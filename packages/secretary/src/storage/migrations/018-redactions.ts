import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** How far the search for secrets in what was stored before has come in each table, and by which rules. */
export const redactions: Migration = {
  name: '018-redactions',
  async up(db) {
    await sql`create table redactions (
      name text primary key, rules integer not null, last text)`.execute(db)
  },
}
