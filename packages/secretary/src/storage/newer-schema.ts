import { Failure } from '@secretary-mcp/core/failure.ts'
import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

const MIGRATION = /^\d{3}-/

/** A database that a newer version has changed is left alone: what this one would write might no longer fit. */
export async function refuseNewerSchema(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from secretary_migrations`.execute(db)
  const known = new Set(migrations.map(({ name }) => name))
  const newer = rows.find(({ name }) => MIGRATION.test(name) && !known.has(name))
  if (newer)
    throw new Failure(
      'storage_newer',
      `The database was changed by a newer version of Secretary (${newer.name}); update this one`,
      { instruction: 'Tell the person; do not try to repair the database.' },
    )
}
