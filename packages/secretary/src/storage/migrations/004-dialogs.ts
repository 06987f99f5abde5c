import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The index of dialogs. An owner is one person on one machine: the files it points to are there and nowhere else. */
export const dialogs: Migration = {
  name: '004-dialogs',
  async up(db) {
    await sql`create table dialogs (
      owner text not null, key text not null, session_id text not null, source text not null, project text, title text,
      first_seen bigint not null, last_seen bigint not null, requests_count integer not null, status text not null,
      first_request_preview text, agent_id text, model_id text, chat_json_path text,
      size bigint not null, mtime_ms bigint not null, reading text not null, primary key (owner, key))`.execute(
      db,
    )
    await sql`create index dialogs_by_session on dialogs (owner, session_id)`.execute(db)
    await sql`create index dialogs_by_time on dialogs (owner, last_seen)`.execute(db)
  },
}
