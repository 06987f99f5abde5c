import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

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
