import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { Database, Engine } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Tables } from '../tables.ts'
import { KEYS, NOTED, NUMBERED, type Row, TABLES, type TableName } from './backup-tables.ts'

const MOST_VALUES = 10_000

/** All of it or nothing, into a database without anybody's data; the engine may be another one. */
export async function restoreBackup(database: Database, path: string): Promise<number> {
  const { engine } = database
  return database.use((db) =>
    db.transaction().execute(async (trx) => {
      await requireEmpty(trx)
      for (const table of [...TABLES].reverse())
        await sql`delete from ${sql.table(table)}`.execute(trx)
      const rows = await restoreRows(trx, engine, path)
      if (engine === 'postgres') {
        await continueNumbers(trx)
        // Made from the rows that were just replaced; a search makes them again.
        await sql`delete from shared_notes`.execute(trx)
      }
      return rows
    }),
  )
}

async function requireEmpty(db: Kysely<Tables>): Promise<void> {
  for (const table of TABLES) {
    if (NOTED.has(table)) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0)
      throw new Failure(
        'not_empty',
        `The database holds data already (${table}); restore into an empty one`,
      )
  }
}

async function restoreRows(db: Kysely<Tables>, engine: Engine, path: string): Promise<number> {
  let rows = 0
  let end: number | undefined
  let batch: { table: TableName; rows: Row[] } | undefined
  const flush = async () => {
    if (batch && batch.rows.length > 0) await insert(db, engine, batch.table, batch.rows)
    batch = undefined
  }
  let isFirst = true
  for await (const line of linesOf(path)) {
    const parsed = parseLine(line)
    if (isFirst) requireOurs(parsed)
    else if (Array.isArray(parsed)) {
      const [table, row] = parsed as [TableName, Row]
      if (!(table in KEYS)) throw damaged()
      const isFull = batch && (batch.rows.length + 1) * Object.keys(row).length > MOST_VALUES
      if (batch?.table !== table || isFull) await flush()
      batch ??= { table, rows: [] }
      batch.rows.push(row)
      rows++
    } else end = Number((parsed as { rows?: unknown }).rows)
    isFirst = false
  }
  await flush()
  if (end !== rows) throw damaged()
  return rows
}

async function insert(
  db: Kysely<Tables>,
  engine: Engine,
  table: TableName,
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(rows[0] as Row)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const values = sql.join(
    rows.map((row) => sql`(${sql.join(names.map((name) => sql.val(row[name])))})`),
  )
  const overriding = engine === 'postgres' ? sql`overriding system value` : sql``
  await sql`insert into ${sql.table(table)} (${columns}) ${overriding} values ${values}`.execute(db)
}

async function continueNumbers(db: Kysely<Tables>): Promise<void> {
  for (const table of NUMBERED)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
      from ${sql.table(table)}`.execute(db)
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const unpacked = createGunzip().setEncoding('utf8')
  file.on('error', (error) => unpacked.destroy(error))
  let rest = ''
  try {
    for await (const piece of file.pipe(unpacked)) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_')) throw damaged()
    throw new Failure('backup_unreadable', `The backup cannot be read: ${message}`)
  } finally {
    file.destroy()
  }
  if (rest) throw damaged()
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw damaged()
  }
}

function requireOurs(head: unknown): void {
  const { secretary, format, schema, version } = (head ?? {}) as Record<string, unknown>
  if (secretary !== 'backup' || format !== 1) throw damaged()
  if (schema !== migrations.at(-1)?.name)
    throw new Failure(
      'backup_version',
      `The backup was made by Secretary ${version} with another schema (${schema}); restore it with that version, then update`,
    )
}

function damaged(): Failure {
  return new Failure(
    'backup_damaged',
    'The backup is damaged, incomplete or not a backup of Secretary; nothing was restored',
  )
}
