import { Failure } from '@secretary-mcp/core/failure.ts'
import { type Kysely, sql } from 'kysely'
import type { Engine } from './database.ts'
import { migrations } from './migrations/migrations.ts'
import type { Tables } from './tables.ts'

const MIGRATION = /^\d{3}-/

export interface Migration {
  readonly name: string
  up(db: Kysely<Tables>, engine: Engine): Promise<void>
}

/** Any fixed number: everybody who migrates this schema takes the same lock. */
const ADVISORY_LOCK = 5_301_977

/** Applies what is missing in one transaction under a lock: many processes may start at once. */
export async function migrate(
  db: Kysely<Tables>,
  engine: Engine,
  wanted: readonly Migration[] = migrations,
): Promise<void> {
  if (await isUpToDate(db, wanted)) return
  await db.transaction().execute(async (trx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(trx)
    await sql`create table if not exists secretary_migrations (name text primary key, applied_at text not null)`.execute(
      trx,
    )
    const applied = await appliedNames(trx)
    for (const migration of wanted.filter(({ name }) => !applied.has(name))) {
      await migration.up(trx, engine)
      await sql`insert into secretary_migrations (name, applied_at) values (${migration.name}, ${new Date().toISOString()})`.execute(
        trx,
      )
    }
  })
}

async function isUpToDate(db: Kysely<Tables>, wanted: readonly Migration[]): Promise<boolean> {
  try {
    const applied = await appliedNames(db)
    return wanted.every(({ name }) => applied.has(name))
  } catch (error) {
    // Only the missing table of a new database may pass; the rest is for the caller to see.
    if (/no such table|does not exist/i.test(String(error))) return false
    throw error
  }
}

async function appliedNames(db: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from secretary_migrations`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

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
