import { Failure } from '@secretary-mcp/core/failure.ts'
import type { HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { emptiedBefore } from '@secretary-mcp/core/sqlite/connection.ts'
import type { Database } from './database.ts'

const FIXES: Readonly<Record<string, string>> = {
  storage_corrupt:
    'Stop all servers, move secretary.db and its -wal and -shm files aside, and restore a backup; a new one is made at the next start.',
  storage_readonly:
    'Give yourself write permission on SECRETARY_HOME, or point SECRETARY_HOME elsewhere.',
  storage_full: 'Free some disk space, or point SECRETARY_HOME to another disk.',
  storage_unavailable:
    'Check SECRETARY_HOME or SECRETARY_DATABASE_URL, and that its server is running.',
  storage_busy: 'Another process has locked the database; wait, or stop it.',
}

const PROBE = 'health check'

export function databaseHealth(database: Database, place: string): HealthCheck {
  return {
    name: 'database',
    namesPlaces: true,
    async run() {
      try {
        const damage = await database.use((db) =>
          database.engine === 'sqlite' ? sqliteDamage(db) : Promise.resolve(undefined),
        )
        if (damage)
          return { state: 'failing', detail: `${place}: ${damage}`, fix: FIXES.storage_corrupt }
        await database.use(tryWrite)
        const [emptied] = database.engine === 'sqlite' ? emptiedBefore(place) : []
        if (emptied)
          return {
            state: 'warning',
            detail: `${place} was found empty once and recreated`,
            fix: `Restore a backup if something is missing; then delete ${emptied}.`,
          }
        return { state: 'ok', detail: `${database.engine} at ${place}` }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return {
          state: 'failing',
          detail: `${place}: ${error.message}`,
          fix: FIXES[error.errorType],
        }
      }
    },
  }
}

type Db = Parameters<Parameters<Database['use']>[0]>[0]

/** On a full or read-only disk everything can be read as ever: only a write shows it. It leaves nothing behind. */
export async function tryWrite(db: Db): Promise<void> {
  const { sql } = await import('kysely')
  const now = new Date().toISOString()
  await sql`insert into secretary_migrations (name, applied_at) values (${PROBE}, ${now})
    on conflict (name) do update set applied_at = excluded.applied_at`.execute(db)
  await sql`delete from secretary_migrations where name = ${PROBE}`.execute(db)
}

async function sqliteDamage(db: Db): Promise<string | undefined> {
  const { sql } = await import('kysely')
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const verdict = rows[0]?.quick_check
  return verdict === 'ok' ? undefined : (verdict ?? 'no answer')
}
