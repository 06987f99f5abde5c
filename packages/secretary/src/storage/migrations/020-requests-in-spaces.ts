import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Requests with their deeds that people share, the projects whose later dialogs they share without being asked again,
 * and the dialogs that they took back from that.
 */
export const requestsInSpaces: Migration = {
  name: '020-requests-in-spaces',
  async up(db) {
    await sql`create table shared_requests (
      space_id text not null, user_id text not null, session_id text not null, position integer not null,
      project text not null, source text not null, asked_at text not null, request text not null, answer text,
      files text not null, deeds text not null, shared_at text not null,
      primary key (space_id, user_id, session_id, position))`.execute(db)
    await sql`create index shared_requests_by_project on shared_requests (space_id, project, asked_at)`.execute(
      db,
    )
    await sql`create index shared_requests_by_user on shared_requests (user_id, session_id)`.execute(
      db,
    )
    await sql`create index shared_requests_by_session on shared_requests (session_id, space_id)`.execute(
      db,
    )
    await sql`create table request_sharing (
      user_id text not null, project text not null, space_id text not null, since text not null,
      primary key (user_id, project, space_id))`.execute(db)
    await sql`create table unshared_dialogs (
      user_id text not null, session_id text not null, space_id text not null,
      primary key (user_id, session_id, space_id))`.execute(db)
  },
}
