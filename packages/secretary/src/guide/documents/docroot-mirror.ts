import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import { DocumentWriter } from './writer.ts'

const VERSION = 'documents'

export interface StoredDocument {
  readonly path: string
  readonly content: string
  readonly isRemoved: boolean
  /** Another one for every writing. */
  readonly stamp: string
  readonly date: string
}

/** Documents that several servers have in common. */
export interface DocumentStore {
  /** Rises with every writing. */
  version(): Promise<number>
  all(): Promise<StoredDocument[]>
  /** False where there is one of that name. */
  create(path: string, content: string, author: string): Promise<boolean>
  put(path: string, content: string, author: string): Promise<void>
  /** False where there is none of that name. */
  remove(path: string, author: string): Promise<boolean>
}

const CLOCKS_DIFFER_MS = 5_000

/** What the servers have in common, as files of this one's docroot: whoever reads documents reads files. */
export class DocrootMirror {
  readonly store: DocumentStore
  readonly #writer: DocumentWriter
  readonly #stamps = new Map<string, string>()
  #version?: number
  #pulling: Promise<void> = Promise.resolve()

  constructor(store: DocumentStore, docroot: string) {
    this.store = store
    this.#writer = new DocumentWriter(docroot)
  }

  /** Brings the files to what the store has now; one question where nothing changed. */
  pull(): Promise<void> {
    const next = this.#pulling.catch(() => {}).then(() => this.#pull())
    this.#pulling = next
    return next
  }

  async #pull(): Promise<void> {
    const version = await this.store.version()
    if (version === this.#version) return
    for (const { path, content, isRemoved, stamp, date } of await this.store.all()) {
      const known = this.#stamps.get(path)
      this.#stamps.set(path, stamp)
      // What somebody put there by hand since, while no server of ours ran, is not overwritten.
      if (known === stamp || (known === undefined && this.#isNewer(path, date))) continue
      if (isRemoved) await this.#writer.remove(path)
      else await this.#writer.replace(path, content)
    }
    this.#version = version
  }

  #isNewer(path: string, date: string): boolean {
    const found = statSync(join(this.#writer.root, path), { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs > Date.parse(date) + CLOCKS_DIFFER_MS
  }
}

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
