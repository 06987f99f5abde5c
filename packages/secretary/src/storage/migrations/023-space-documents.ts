import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Copies of documents that spaces have in common. */
export const spaceDocuments: Migration = {
  name: '023-space-documents',
  async up(db) {
    await sql`create table space_documents (
      space_id text not null, path text not null, content text not null, author text not null,
      updated_at text not null, primary key (space_id, path))`.execute(db)
  },
}
