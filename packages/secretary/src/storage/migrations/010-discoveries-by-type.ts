import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The latest of a type are compared with every new discovery. */
export const discoveriesByType: Migration = {
  name: '010-discoveries-by-type',
  async up(db) {
    await sql`create index discoveries_by_type on discoveries (user_id, project, type, created_at)`.execute(
      db,
    )
  },
}
