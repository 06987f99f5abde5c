import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

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
