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
