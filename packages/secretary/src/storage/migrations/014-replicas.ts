import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

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
