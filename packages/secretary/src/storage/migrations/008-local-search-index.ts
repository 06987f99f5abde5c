import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

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
