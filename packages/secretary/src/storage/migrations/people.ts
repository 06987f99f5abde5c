import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** A token says what its user may do, and calls are counted for each user. */
export const roles: Migration = {
  name: '009-roles',
  async up(db) {
    await sql`alter table tokens add column role text not null default 'member'`.execute(db)
    await sql`alter table tool_tallies rename to former_tallies`.execute(db)
    await sql`create table tool_tallies (
      tool text not null, user_id text not null, hour text not null, key text not null, count bigint not null,
      primary key (tool, user_id, hour, key))`.execute(db)
    await sql`insert into tool_tallies (tool, user_id, hour, key, count)
      select tool, '', hour, key, count from former_tallies`.execute(db)
    await sql`drop table former_tallies`.execute(db)
    await sql`create index tool_tallies_by_hour on tool_tallies (hour)`.execute(db)
  },
}

/** What groups share, who belongs to them, who changed what; tasks and discoveries that are shared say with whom. */
export const spaces: Migration = {
  name: '017-spaces',
  async up(db, engine) {
    const id =
      engine === 'sqlite'
        ? sql`integer primary key autoincrement`
        : sql`bigint generated always as identity primary key`
    await sql`create table spaces (
      id text primary key, name text not null unique, project text, created_by text not null, created_at text not null)`.execute(
      db,
    )
    await sql`insert into spaces (id, name, created_by, created_at)
      values ('everybody', 'everybody', '', ${new Date().toISOString()})`.execute(db)
    await sql`create table space_members (
      space_id text not null, user_id text not null, role text not null, primary key (space_id, user_id))`.execute(
      db,
    )
    await sql`create index space_members_by_user on space_members (user_id, space_id, role)`.execute(
      db,
    )
    await sql`create table audit_log (
      id ${id}, at text not null, user_id text not null, space_id text not null, action text not null,
      subject_kind text not null, subject_id text not null, text text not null)`.execute(db)
    await sql`create index audit_log_by_space on audit_log (space_id, id)`.execute(db)
    await sql`alter table tasks add column space_id text`.execute(db)
    await sql`create index tasks_by_space on tasks (space_id, completed, id) where space_id is not null`.execute(
      db,
    )
    await sql`alter table discoveries add column space_id text`.execute(db)
    await sql`create index discoveries_by_space on discoveries (space_id, project, created_at) where space_id is not null`.execute(
      db,
    )
  },
}

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
