import { Socket } from 'node:net'
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
import pg, { type Pool, type PoolClient } from 'pg'
import { loggedQueries } from '../database.ts'
import { migrate, refuseNewerSchema } from '../migrate.ts'
import type { Tables } from '../tables.ts'

const TOO_MANY_CONNECTIONS = '53300'
const WAIT_FOR_A_PLACE_MS = 20_000
const FIRST_WAIT_MS = 20
const MAX_WAIT_MS = 500

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
  for (let waitFor = FIRST_WAIT_MS; ; waitFor = Math.min(2 * waitFor, MAX_WAIT_MS)) {
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

export interface PoolTimes {
  /** Of getting a connection, the wait for a free one included. */
  readonly connectMs: number
  /** Of one query, by our own clock: a server that went silent ends nothing by itself. */
  readonly queryMs: number
  readonly closeMs: number
}

const POOL_TIMES: PoolTimes = { connectMs: 10_000, queryMs: 12_000, closeMs: 2_000 }

interface PoolSettings extends Partial<PoolTimes> {
  readonly url: string
  readonly connections: number
  /** A pooler lends one connection to many clients: nothing may be set on it. */
  readonly isPooled?: boolean
}

interface BoundedPool {
  readonly pool: Pool
  /** Says goodbye to the server, and hangs up where it does not answer. */
  close(): Promise<void>
}

const INT8 = 20
/** Others may be waiting for a place at the server. */
const IDLE_MS = 3_000
const KEEP_ALIVE_AFTER_MS = 10_000
/** The server's own limit comes first, so that its answer still arrives. */
const SERVER_SHARE = 0.8
/**
 * Statements of ours take milliseconds, and PostgreSQL takes some of them for longer ones: a second process, or compiling them,
 * would cost more than it saves. Where a statement may read very much, it asks for workers itself.
 */
const OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off'

/** Connections that may be lost or go silent at any moment: whoever uses one hears of it, and the process goes on. */
function openPool(
  { url, connections, isPooled = false, ...given }: PoolSettings,
  log: Log,
): BoundedPool {
  const { connectMs, queryMs, closeMs } = { ...POOL_TIMES, ...given }
  // int8 arrives as text otherwise; our ids and counts stay far below 2^53.
  pg.types.setTypeParser(INT8, Number)
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: queryMs,
    ...(isPooled
      ? {}
      : { statement_timeout: Math.round(queryMs * SERVER_SHARE), options: OPTIONS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: () => remembered(sockets),
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  // The pool listens to idle connections alone: one that is lost between the statements of a transaction would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')),
  )
  return {
    pool,
    async close() {
      const hangUp = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, closeMs)
      try {
        await pool.end()
      } finally {
        clearTimeout(hangUp)
      }
    },
  }
}

function remembered(sockets: Set<Socket>): Socket {
  const socket = new Socket()
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket
}
