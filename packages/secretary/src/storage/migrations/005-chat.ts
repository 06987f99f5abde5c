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
