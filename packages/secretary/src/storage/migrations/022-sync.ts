import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The logs through which the machines of one person tell each other what is not in the database, and what a task is called there. */
export const sync: Migration = {
  name: '022-sync',
  async up(db) {
    await sql`create table sync_segments (
      user_id text not null, machine text not null, generation integer not null, sequence integer not null,
      content text not null, written_at text not null,
      primary key (user_id, machine, generation, sequence))`.execute(db)
    await sql`alter table tasks add column sync_id text`.execute(db)
    await sql`create unique index tasks_by_sync on tasks (user_id, sync_id)`.execute(db)
  },
}
