import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Sessions of browsers and the codes that start them, by their hashes; and who is invited to a space but has not joined it. */
export const signInAndInvitations: Migration = {
  name: '027-sign-in-and-invitations',
  async up(db) {
    await sql`create table browser_sessions (
      hash text primary key, kind text not null, token_hash text not null, user_id text not null,
      token_ends_at text, created_at text not null, expires_at text not null)`.execute(db)
    await sql`create index browser_sessions_by_token on browser_sessions (token_hash, created_at)`.execute(
      db,
    )
    await sql`create table sign_in_codes (
      hash text primary key, kind text not null, token_hash text not null, user_id text not null,
      token_ends_at text, expires_at text not null, session_hash text)`.execute(db)
    await sql`create index sign_in_codes_by_token on sign_in_codes (token_hash)`.execute(db)
    await sql`create table space_invitations (
      space_id text not null, user_id text not null, role text not null, invited_by text not null,
      invited_at text not null, primary key (space_id, user_id))`.execute(db)
    await sql`create index space_invitations_by_user on space_invitations (user_id)`.execute(db)
  },
}
