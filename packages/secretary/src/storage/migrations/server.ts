import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Conversations with our own agent. */
export const chat: Migration = {
  name: '005-chat',
  async up(db, engine) {
    const id =
      engine === 'sqlite'
        ? sql`integer primary key autoincrement`
        : sql`bigint generated always as identity primary key`
    await sql`create table conversations (
      id text primary key, user_id text not null, title text not null, created_at text not null, updated_at text not null)`.execute(
      db,
    )
    await sql`create index conversations_by_user on conversations (user_id, updated_at)`.execute(db)
    await sql`create table messages (
      id ${id}, conversation_id text not null references conversations (id) on delete cascade,
      sender text not null, content text not null, pending text, created_at text not null)`.execute(
      db,
    )
    await sql`create index messages_by_conversation on messages (conversation_id, id)`.execute(db)
  },
}

/** What several servers on one database must share: calls of this minute, who counted what, and the documents that people write. */
export const replicas: Migration = {
  name: '014-replicas',
  async up(db) {
    await sql`create table rate_limits (
      key varchar(255) primary key, points integer not null default 0, expire bigint)`.execute(db)
    await sql`alter table tool_tallies rename to former_tallies`.execute(db)
    await sql`drop index tool_tallies_by_hour`.execute(db)
    await sql`create table tool_tallies (
      tool text not null, user_id text not null, hour text not null, key text not null,
      replica text not null default '', count bigint not null,
      primary key (tool, user_id, hour, key, replica))`.execute(db)
    await sql`insert into tool_tallies (tool, user_id, hour, key, count)
      select tool, user_id, hour, key, count from former_tallies`.execute(db)
    await sql`drop table former_tallies`.execute(db)
    await sql`create index tool_tallies_by_hour on tool_tallies (hour)`.execute(db)
    await sql`create table shared_documents (
      path text primary key, content text not null, removed integer not null default 0,
      author text not null, updated_at text not null, stamp text not null)`.execute(db)
    await sql`create table shared_versions (name text primary key, version bigint not null)`.execute(
      db,
    )
  },
}

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
