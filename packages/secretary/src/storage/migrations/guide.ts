import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Projects with their categories, collections, profiles and flags; documents are files. */
export const guide: Migration = {
  name: '002-guide',
  async up(db) {
    await sql`create table guide_projects (
      key text primary key, name text not null, path text not null, created_at text not null)`.execute(
      db,
    )
    await sql`create table guide_selections (
      project text not null, kind text not null, name text not null, dir text not null, items text not null,
      description text not null, removed smallint not null default 0, primary key (project, kind, name))`.execute(
      db,
    )
    await sql`create table guide_profiles (
      project text not null, name text not null, primary key (project, name))`.execute(db)
    await sql`create table guide_flags (
      scope text not null, name text not null, value text not null, updated_at text not null,
      primary key (scope, name))`.execute(db)
  },
}

/** Copies of documents that spaces have in common. */
export const spaceDocuments: Migration = {
  name: '023-space-documents',
  async up(db) {
    await sql`create table space_documents (
      space_id text not null, path text not null, content text not null, author text not null,
      updated_at text not null, primary key (space_id, path))`.execute(db)
  },
}
