import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Where a task belongs, how far it is, what it is about, and its place among the others. */
export const taskWork: Migration = {
  name: '015-task-work',
  async up(db) {
    await sql`alter table tasks add column project text`.execute(db)
    await sql`alter table tasks add column state text`.execute(db)
    await sql`alter table tasks add column priority text`.execute(db)
    await sql`alter table tasks add column labels text`.execute(db)
    await sql`alter table tasks add column files text`.execute(db)
    await sql`alter table tasks add column position double precision`.execute(db)
  },
}
