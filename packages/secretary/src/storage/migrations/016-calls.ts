import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The last calls with their arguments, and the sums of every day. */
export const calls: Migration = {
  name: '016-calls',
  async up(db, engine) {
    const id =
      engine === 'sqlite'
        ? sql`integer primary key autoincrement`
        : sql`bigint generated always as identity primary key`
    await sql`create table calls (
      id ${id}, at text not null, user_id text not null, agent text, project text not null, session text,
      tool text not null, ms double precision not null, tokens bigint not null, error text, arguments text not null,
      answer text, by_page smallint not null default 0)`.execute(db)
    await sql`create index calls_by_user on calls (user_id, id)`.execute(db)
    await sql`create table call_days (
      day text not null, user_id text not null, agent text not null, project text not null, tool text not null,
      calls bigint not null, failed bigint not null, tokens bigint not null, ms double precision not null,
      primary key (day, user_id, agent, project, tool))`.execute(db)
  },
}
