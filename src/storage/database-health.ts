import { Failure } from '../core/failure.ts'
import type { HealthCheck } from '../core/health-check.ts'
import type { Database } from './database.ts'

const MEND: Readonly<Record<string, string>> = {
  storage_corrupt:
    'Stop all servers, move secretary.db and its -wal and -shm files aside, and restore a backup; a new one is made at the next start.',
  storage_readonly:
    'Give yourself write permission on SECRETARY_HOME, or point SECRETARY_HOME elsewhere.',
  storage_full: 'Free some disk space, or point SECRETARY_HOME to another disk.',
  storage_unavailable:
    'Check SECRETARY_HOME or SECRETARY_DATABASE_URL, and that the server behind it runs.',
  storage_busy: 'Another process holds the database; wait, or stop it.',
}

export function databaseHealth(database: Database, place: string): HealthCheck {
  return {
    name: 'database',
    async run() {
      try {
        const damage = await database.use((db) =>
          database.engine === 'sqlite' ? sqliteDamage(db) : Promise.resolve(undefined),
        )
        if (damage)
          return { state: 'bad', detail: `${place}: ${damage}`, mend: MEND.storage_corrupt }
        return { state: 'good', detail: `${database.engine} at ${place}` }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { state: 'bad', detail: `${place}: ${error.message}`, mend: MEND[error.errorType] }
      }
    },
  }
}

async function sqliteDamage(
  db: Parameters<Parameters<Database['use']>[0]>[0],
): Promise<string | undefined> {
  const { sql } = await import('kysely')
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const verdict = rows[0]?.quick_check
  return verdict === 'ok' ? undefined : (verdict ?? 'no answer')
}
