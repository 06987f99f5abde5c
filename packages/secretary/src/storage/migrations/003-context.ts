import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Discoveries, which files were read how often and the sessions they were read in. */
export const context: Migration = {
  name: '003-context',
  async up(db) {
    await sql`create table discoveries (
      id text not null, user_id text not null, project text not null, type text not null, content text not null, module text,
      session text, origin text not null, confidence double precision not null, created_at text not null, files text not null,
      access_count integer not null default 0, last_access_at text, archived smallint not null default 0,
      primary key (user_id, project, id))`.execute(db)
    await sql`create index discoveries_by_date on discoveries (user_id, project, archived, created_at)`.execute(
      db,
    )
    await sql`create table file_accesses (
      user_id text not null, project text not null, path text not null, count integer not null,
      first_access_at text not null, last_access_at text not null,
      primary key (user_id, project, path))`.execute(db)
    await sql`create table context_sessions (
      user_id text not null, project text not null, id text not null, client text, started_at text not null,
      last_active_at text not null, ended_at text, calls integer not null, topics text not null, files text not null,
      primary key (user_id, project, id))`.execute(db)
  },
}
