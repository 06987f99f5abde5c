import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Tables } from '../tables.ts'
import {
  type BackupEnd,
  type BackupHead,
  KEYS,
  type Row,
  TABLES,
  type TableName,
} from './backup-tables.ts'

const PAGE = 1_000

export interface Backup {
  readonly rows: number
  readonly bytes: number
}

/** Everything in the database as it was at one moment, whoever writes meanwhile. */
export async function writeBackup(
  database: Database,
  path: string,
  version: string,
): Promise<Backup> {
  if (await stat(path).catch(() => undefined))
    throw new Failure('already_exists', `${path} exists already; name a new file`)
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    const rows = await database.use((db) => {
      const reading = db.transaction()
      const atOnce =
        database.engine === 'postgres' ? reading.setIsolationLevel('repeatable read') : reading
      return atOnce.execute(async (trx) => {
        const written = { rows: 0 }
        await pipeline(
          Readable.from(lines(trx, version, written)),
          createGzip(),
          createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
        )
        return written.rows
      })
    })
    const { size } = await stat(unfinished)
    await rename(unfinished, path)
    return { rows, bytes: size }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw isFileError(error)
      ? new Failure('backup_failed', `The backup cannot be written: ${error.message}`)
      : error
  }
}

async function* lines(db: Kysely<Tables>, version: string, written: { rows: number }) {
  const head: BackupHead = {
    secretary: 'backup',
    format: 1,
    version,
    createdAt: new Date().toISOString(),
    schema: migrations.at(-1)?.name ?? '',
  }
  yield `${JSON.stringify(head)}\n`
  for (const table of TABLES)
    for await (const page of pages(db, table)) {
      written.rows += page.length
      yield page.map((row) => `${JSON.stringify([table, row])}\n`).join('')
    }
  const end: BackupEnd = { rows: written.rows }
  yield `${JSON.stringify(end)}\n`
}

/** By key, so that a large table costs no more for its last page than for its first. */
async function* pages(db: Kysely<Tables>, table: TableName): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(KEYS[table].map((key) => sql.ref(key)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after}
      order by ${columns} limit ${sql.lit(PAGE)}`.execute(db)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    const values = sql.join(KEYS[table].map((key) => sql.val(last[key])))
    after = sql`where (${columns}) > (${values})`
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}
