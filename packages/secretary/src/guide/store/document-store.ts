import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { DocumentStore } from '../documents/docroot-mirror.ts'

const VERSION = 'documents'

export function createDocumentStore(database: Database): DocumentStore {
  /** One writer after the other: whoever sees a version sees everything that was written before it. */
  const write = <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
    database.use((db) =>
      db.transaction().execute(async (trx) => {
        await trx
          .insertInto('shared_versions')
          .values({ name: VERSION, version: 1 })
          .onConflict((conflict) =>
            conflict.column('name').doUpdateSet((e) => ({
              version: e('shared_versions.version', '+', 1),
            })),
          )
          .execute()
        return work(trx)
      }),
    )
  return {
    async version() {
      const row = await database.use((db) =>
        db
          .selectFrom('shared_versions')
          .select('version')
          .where('name', '=', VERSION)
          .executeTakeFirst(),
      )
      return Number(row?.version ?? 0)
    },

    async all() {
      const rows = await database.use((db) =>
        db.selectFrom('shared_documents').selectAll().orderBy('path').execute(),
      )
      return rows.map(({ path, content, removed, stamp, updated_at }) => ({
        path,
        content,
        stamp,
        date: updated_at,
        isRemoved: removed === 1,
      }))
    },

    create: (path, content, author) =>
      write(async (db) => {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('shared_documents')
          .values(rowOf(path, content, author))
          .onConflict((conflict) =>
            conflict
              .column('path')
              .doUpdateSet(rowOf(path, content, author))
              .where('shared_documents.removed', '=', 1),
          )
          .executeTakeFirst()
        return Number(numInsertedOrUpdatedRows ?? 0) > 0
      }),

    put: (path, content, author) =>
      write(async (db) => {
        await db
          .insertInto('shared_documents')
          .values(rowOf(path, content, author))
          .onConflict((conflict) =>
            conflict.column('path').doUpdateSet(rowOf(path, content, author)),
          )
          .execute()
      }),

    remove: (path, author) =>
      write(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('shared_documents')
          .set({ ...rowOf(path, '', author), removed: 1 })
          .where('path', '=', path)
          .where('removed', '=', 0)
          .executeTakeFirst()
        return Number(numUpdatedRows) > 0
      }),
  }
}

function rowOf(path: string, content: string, author: string) {
  const written = { author, updated_at: new Date().toISOString(), stamp: randomUUID() }
  return { path, content, removed: 0, ...written }
}
