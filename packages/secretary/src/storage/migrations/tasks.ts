import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Tasks, access tokens and the counts of tool calls. */
export const house: Migration = {
  name: '001-house',
  async up(db, engine) {
    const id =
      engine === 'sqlite'
        ? sql`integer primary key autoincrement`
        : sql`bigint generated always as identity primary key`
    await sql`create table tasks (
      id ${id}, user_id text not null, title text not null, description text,
      completed smallint not null default 0, created_at text not null, updated_at text)`.execute(db)
    await sql`create index tasks_by_user on tasks (user_id, completed, id)`.execute(db)
    await sql`create table tokens (
      id text primary key, user_id text not null, label text not null, hash text not null unique,
      created_at text not null, expires_at text not null, revoked_at text)`.execute(db)
    await sql`create table tool_tallies (
      tool text not null, hour text not null, key text not null, count bigint not null, primary key (tool, hour, key))`.execute(
      db,
    )
  },
}

/** Which request a task came from; it goes with the task. */
export const taskRequests: Migration = {
  name: '006-task-requests',
  async up(db) {
    await sql`create table task_requests (
      task_id bigint primary key references tasks (id) on delete cascade,
      session_id text not null, request_index integer not null)`.execute(db)
    await sql`create index task_requests_by_session on task_requests (session_id)`.execute(db)
  },
}

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
