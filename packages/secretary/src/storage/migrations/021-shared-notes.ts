import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import type { Tables } from '../tables.ts'

/**
 * In PostgreSQL, what is found in spaces, whichever server asks: a note's terms, its vector and the vector's signs. All of it
 * is made from other rows and can be made again. Found discoveries are looked up by their id, on both engines.
 */
export const sharedNotes: Migration = {
  name: '021-shared-notes',
  async up(db, engine) {
    await sql`create index discoveries_by_id on discoveries (id)`.execute(db)
    await sql`create index discoveries_followed on discoveries (follows) where follows is not null`.execute(
      db,
    )
    if (engine === 'sqlite') return
    await sql`create table shared_notes (
      key bigint generated always as identity primary key, space_id text not null references spaces on delete cascade, project text not null,
      source text not null, id text not null, type text, module text, session text, content text not null,
      date text not null, author text not null, access_count integer not null, made integer not null,
      terms tsvector not null, size smallint not null, signs bit(256), vector bytea,
      unique (space_id, source, id))`.execute(db)
    await sql`create index shared_notes_by_terms on shared_notes using gin (terms)`.execute(db)
    // Every vector of a few spaces is compared by its signs, which are read from the index alone.
    await sql`create index shared_notes_by_place on shared_notes (space_id, project) include (key, signs)`.execute(
      db,
    )
    if (await mayUseVectors(db)) await indexSigns(db)
  },
}

/** Whether pgvector is there, in a version that goes on searching until enough of what it finds passes a filter, and we may use it. */
async function mayUseVectors(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`
    select version from pg_available_extensions
      join pg_available_extension_versions using (name)
    where name = 'vector' and version = coalesce(installed_version, default_version) and (installed or
      trusted and has_database_privilege(current_database(), 'create') or
      (select rolsuper from pg_roles where rolname = current_user))`.execute(db)
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number)
  return major > 0 || minor >= 8
}

/** The table is empty, so this takes no time. A server that refuses it after all compares signs one by one. */
async function indexSigns(db: Kysely<Tables>): Promise<void> {
  await sql`savepoint before_vectors`.execute(db)
  try {
    await sql`create extension if not exists vector`.execute(db)
    await sql`create index shared_notes_by_signs on shared_notes using hnsw (signs bit_hamming_ops)`.execute(
      db,
    )
  } catch {
    await sql`rollback to savepoint before_vectors`.execute(db)
  }
  await sql`release savepoint before_vectors`.execute(db)
}
