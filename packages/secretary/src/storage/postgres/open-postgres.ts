import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { loggedQueries } from '../logged-queries.ts'
import { migrate } from '../migrate.ts'
import { refuseNewerSchema } from '../newer-schema.ts'
import type { Tables } from '../tables.ts'
import { type BoundedPool, openPool, type PoolSettings } from './open-pool.ts'

const TOO_MANY_CONNECTIONS = '53300'
const WAIT_FOR_A_PLACE_MS = 20_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

/** What a pooler between us and the server says to a setting that it cannot keep for one client. */
const REFUSED_SETTING = /unsupported startup parameter/

export async function openPostgres(
  settings: PoolSettings,
  log: Log,
  tracing?: Tracing,
): Promise<Kysely<Tables>> {
  return open(settings, log, tracing).catch((error: unknown) => {
    if (!REFUSED_SETTING.test(String(error))) throw error
    log.info('the database is behind a pooler; only our own clock limits a query')
    return open({ ...settings, isPooled: true }, log, tracing)
  })
}

async function open(settings: PoolSettings, log: Log, tracing?: Tracing): Promise<Kysely<Tables>> {
  const pool = patientPool(openPool(settings, log))
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: loggedQueries('postgres', tracing),
  })
  try {
    await migrate(db, 'postgres')
    await refuseNewerSchema(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/**
 * The pool as Kysely uses it. At the server's connection limit a call waits for a place, and a connection whose query ran out of
 * time is thrown away at once: whatever came next would only queue up behind a reply that never arrives.
 */
function patientPool({ pool, close }: BoundedPool, waitMs = WAIT_FOR_A_PLACE_MS): PostgresPool {
  return { connect: async () => discarding(await connect(pool, waitMs)), end: close }
}

async function connect(pool: Pool, waitMs: number): Promise<PoolClient> {
  const until = performance.now() + waitMs
  for (let waitFor = FIRST_WAIT_MS; ; waitFor = Math.min(2 * waitFor, LONGEST_WAIT_MS)) {
    try {
      return await pool.connect()
    } catch (error) {
      const isFull = (error as { code?: unknown }).code === TOO_MANY_CONNECTIONS
      if (!isFull || pool.ending || performance.now() > until) throw error
      await wait(waitFor * (0.5 + Math.random()))
    }
  }
}

function discarding(client: PoolClient): PostgresPoolClient {
  let isSilent = false
  const seen = (error: unknown): never => {
    if (!isSilent && error instanceof Error && error.message === 'Query read timeout') {
      isSilent = true
      client.end().catch(() => {})
    }
    throw error
  }
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('cursors are not used here')
    return client.query(text, [...values]).catch(seen)
  }
  return { query, release: () => client.release(isSilent) }
}
