import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import type { Tables } from '../tables.ts'

/** Discoveries, which files were read how often and the sessions they were read in. */
export const context: Migration = {
  name: '003-context',
  async up(db) {
    await sql`create table discoveries (
      id text not null, user_id text not null, project text not null, type text not null, content text not null, module text,
      session text, origin text not null, confidence double precision not null, created_at text not null, files text not null,
      access_count integer not null default 0, last_access_at text, archived smallint not null default 0,
      primary key (user_id, project, id))`.execute(db)
    await sql`create index discoveries_by_date on discoveries (user_id, project, archived, created_at)`.execute(
      db,
    )
    await sql`create table file_accesses (
      user_id text not null, project text not null, path text not null, count integer not null,
      first_access_at text not null, last_access_at text not null,
      primary key (user_id, project, path))`.execute(db)
    await sql`create table context_sessions (
      user_id text not null, project text not null, id text not null, client text, started_at text not null,
      last_active_at text not null, ended_at text, calls integer not null, topics text not null, files text not null,
      primary key (user_id, project, id))`.execute(db)
  },
}

const FORMER_TABLES = [
  'search_vectors',
  'search_vector_cache',
  'search_definitions',
  'search_chunks',
  'search_notes',
  'search_files',
  'search_indexing',
  'search_meta',
]

/** The search index is a file on the machine that has the checkout; its copies in PostgreSQL go. */
export const localSearchIndex: Migration = {
  name: '008-local-search-index',
  async up(db, engine) {
    if (engine !== 'postgres') return
    for (const table of FORMER_TABLES)
      await sql`drop table if exists ${sql.table(table)} cascade`.execute(db)
  },
}

/** The latest of a type are compared with every new discovery. */
export const discoveriesByType: Migration = {
  name: '010-discoveries-by-type',
  async up(db) {
    await sql`create index discoveries_by_type on discoveries (user_id, project, type, created_at)`.execute(
      db,
    )
  },
}

const PAGE = 500

/**
 * What a discovery says in a form that repetition shares, what older one it follows, and everything it came from. Of old
 * repetitions the first has the key; the others stay as they are.
 */
export const discoverySources: Migration = {
  name: '012-discovery-sources',
  async up(db) {
    await sql`alter table discoveries add column said text`.execute(db)
    await sql`alter table discoveries add column follows text`.execute(db)
    await sql`alter table discoveries add column sources text not null default '[]'`.execute(db)
    for (let offset = 0; ; offset += PAGE) {
      const { rows } = await sql<{ user_id: string; project: string; id: string; content: string }>`
        select user_id, project, id, content from discoveries order by user_id, project, id
        limit ${PAGE} offset ${offset}`.execute(db)
      for (const { user_id, project, id, content } of rows)
        await sql`update discoveries set said = ${saidOf(content)}
          where user_id = ${user_id} and project = ${project} and id = ${id}`.execute(db)
      if (rows.length < PAGE) break
    }
    await sql`create index discoveries_by_words on discoveries (user_id, project, type, said)`.execute(
      db,
    )
    await sql`create index discoveries_by_older on discoveries (user_id, project, follows)`.execute(
      db,
    )
  },
}

/** As the words were compared when this was written: a migration does not change with what it once called. */
function saidOf(content: string): string {
  const words = content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [content.trim()]
  const telling = words.filter((word) => !/^(?:a|an|the)$/.test(word))
  return createHash('sha256').update(telling.join(' ')).digest('hex').slice(0, 32)
}

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

/**
 * What a person said about a discovery that rules drew from a dialog: `confirmed` or `dismissed`. Null means nobody has looked at
 * it, so everything that was drawn before becomes a suggestion.
 */
export const suggestions: Migration = {
  name: '024-suggestions',
  async up(db) {
    await sql`alter table discoveries add column verdict text`.execute(db)
  },
}
