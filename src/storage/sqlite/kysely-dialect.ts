import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { closeSqliteFile } from './connection.ts'

const MOST_PREPARED = 200

/** Kysely's SQLite dialect over the API of `node:sqlite`, with transactions that take the write lock at their start. */
export function sqliteDialect(file: DatabaseSyncInstance): SqliteDialect {
  const database = adapt(file)
  const dialect = new SqliteDialect({ database })
  // A plain BEGIN that reads and then writes fails under several processes, whatever the timeout.
  dialect.createDriver = () => new ImmediateDriver({ database })
  return dialect
}

class ImmediateDriver extends SqliteDriver {
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
      if (prepared.size >= MOST_PREPARED) prepared.clear()
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
