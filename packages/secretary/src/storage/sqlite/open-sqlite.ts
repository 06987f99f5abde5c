import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  BLOCKING_WAIT_MS,
  BUSY_WAIT_MS,
  closeSqliteFile,
  openSqliteFile,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import type { Tracing } from '@secretary-mcp/core/tracing.ts'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type LimitNode,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { loggedQueries } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'

const MAX_PREPARED = 200

interface OpenOptions {
  readonly busyWaitMs?: number
  readonly tracing?: Tracing
}

export async function openSqlite(
  path: string,
  { busyWaitMs, tracing }: OpenOptions = {},
): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({
    log: loggedQueries('sqlite', tracing),
    dialect: sqliteDialect(await openSqliteFile(path, BLOCKING_WAIT_MS), busyWaitMs),
  })
  try {
    await migrate(db, 'sqlite')
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Kysely's SQLite dialect over the API of `node:sqlite`, with transactions that take the write lock at their start. */
function sqliteDialect(
  file: DatabaseSyncInstance,
  busyWaitMs: number = BUSY_WAIT_MS,
): SqliteDialect {
  const database = adapt(file)
  const dialect = new SqliteDialect({ database })
  // A plain BEGIN that reads and then writes fails under several processes, whatever the timeout.
  dialect.createDriver = () => new PatientDriver(database, file, busyWaitMs)
  dialect.createQueryCompiler = () => new StableLimitCompiler()
  return dialect
}

/** SQLite plans by a bound limit, so a statement with one is prepared again for every call; a sum is not looked into. */
class StableLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    this.append(' + 0')
  }
}

/** While a write waits for a lock that another process holds, it lends the connection to the others: reads go on. */
class PatientDriver extends SqliteDriver {
  readonly #file: DatabaseSyncInstance
  readonly #busyWaitMs: number
  #patient?: DatabaseConnection

  constructor(database: SqliteDatabase, file: DatabaseSyncInstance, busyWaitMs: number) {
    super({ database })
    this.#file = file
    this.#busyWaitMs = busyWaitMs
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    this.#patient ??= this.#patiently(connection)
    return this.#patient
  }

  #patiently(connection: DatabaseConnection): DatabaseConnection {
    const around = async (pause: () => Promise<void>) => {
      await super.releaseConnection()
      await pause()
      await super.acquireConnection()
    }
    return {
      executeQuery: <R>(query: CompiledQuery) => {
        // Inside a transaction the lock is ours.
        const waitMs = this.#file.isTransaction ? 0 : this.#busyWaitMs
        return whileBusy(() => connection.executeQuery<R>(query), { waitMs, around })
      },
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    }
  }

  /** On a full disk SQLite has rolled back by itself: a second time would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.isTransaction) await super.rollbackTransaction(connection)
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

function adapt(file: DatabaseSyncInstance): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close: () => closeSqliteFile(file),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known) return known
      const statement = file.prepare(sql)
      const adapted: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...bound(parameters)),
        run: (parameters) => statement.run(...bound(parameters)),
        iterate: (parameters) =>
          statement.iterate(...bound(parameters)) as IterableIterator<unknown>,
      }
      if (prepared.size >= MAX_PREPARED) prepared.clear()
      prepared.set(sql, adapted)
      return adapted
    },
  }
}

type Bindable = null | number | bigint | string | Uint8Array

function bound(parameters: readonly unknown[]): Bindable[] {
  return parameters.map((value) =>
    typeof value === 'boolean' ? Number(value) : (value as Bindable),
  )
}
