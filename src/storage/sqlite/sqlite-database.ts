import { Kysely } from 'kysely'
import { type Database, lazyDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../tables.ts'
import { openSqliteFile } from './connection.ts'
import { sqliteDialect } from './kysely-dialect.ts'
import { sqliteFailure } from './sqlite-failure.ts'

export function sqliteDatabase(path: string): Database {
  return lazyDatabase({
    engine: 'sqlite',
    translate: (error) => sqliteFailure(error, path),
    async open() {
      const db = new Kysely<Tables>({ dialect: sqliteDialect(await openSqliteFile(path)) })
      try {
        await migrate(db, 'sqlite')
        return db
      } catch (error) {
        await db.destroy()
        throw error
      }
    },
  })
}
