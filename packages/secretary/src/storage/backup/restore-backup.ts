import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod'
import type { Database, Engine } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Tables } from '../tables.ts'
import { KEYS, NOTED, NUMBERED, type Row, TABLES, type TableName } from './write-backup.ts'

const MAX_VALUES = 10_000
/** Of one row. A dialog of 64 MB is the largest thing that is stored. */
export const MAX_LINE_LENGTH = 256 << 20
const MAX_NAME_LENGTH = 100

const rowLine = z.tuple([
  z.string().refine((name): name is TableName => Object.hasOwn(KEYS, name)),
  z
    .record(z.string().regex(/^[a-z_]{1,60}$/), z.union([z.string(), z.number(), z.null()]))
    .refine((row) => Object.keys(row).length > 0),
])
const endLine = z.strictObject({ rows: z.int() })

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
  let batch: { table: TableName; columns: string; rows: Row[] } | undefined
  const flush = async () => {
    if (batch && batch.rows.length > 0) await insert(db, engine, batch.table, batch.rows)
    batch = undefined
  }
  let isFirst = true
  for await (const line of linesOf(path)) {
    const parsed = parseLine(line)
    if (isFirst) requireOurs(parsed)
    else if (Array.isArray(parsed) && end === undefined) {
      const [table, row] = understand(rowLine, parsed)
      const columns = Object.keys(row).join()
      const isFull = batch && (batch.rows.length + 1) * Object.keys(row).length > MAX_VALUES
      if (batch?.table !== table || batch.columns !== columns || isFull) await flush()
      batch ??= { table, columns, rows: [] }
      batch.rows.push(row)
      rows++
    } else if (end === undefined) end = understand(endLine, parsed).rows
    else throw damaged()
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
  try {
    await sql`insert into ${sql.table(table)} (${columns}) ${overriding} values ${values}`.execute(
      db,
    )
  } catch (error) {
    if (error instanceof Failure || !isAboutRows(error)) throw error
    throw new Failure(
      'backup_damaged',
      `The backup has rows of ${table} that do not fit this database; nothing was restored`,
      { cause: error },
    )
  }
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
  let rest: string[] = []
  let length = 0
  try {
    for await (const piece of file.pipe(unpacked) as AsyncIterable<string>) {
      const [first = '', ...more] = piece.split('\n')
      rest.push(first)
      length += first.length
      if (length > MAX_LINE_LENGTH) throw tooLong()
      const last = more.pop()
      if (last === undefined) continue
      yield rest.join('')
      yield* more
      rest = [last]
      length = last.length
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_')) throw damaged()
    throw new Failure('backup_unreadable', `The backup cannot be read: ${message}`)
  } finally {
    file.destroy()
  }
  if (length > 0) throw damaged()
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
      `The backup was made by Secretary ${nameIn(version)} with another schema (${nameIn(schema)}); restore it with that version, then update`,
    )
}

function nameIn(found: unknown): string {
  return typeof found === 'string' ? quoteLine(found.slice(0, MAX_NAME_LENGTH)) : 'unknown'
}

function understand<T>(schema: z.ZodType<T>, parsed: unknown): T {
  const { data, success } = schema.safeParse(parsed)
  if (!success) throw damaged()
  return data
}

/** What the database says of a row that it does not take; a full disk or a lost connection is something else. */
function isAboutRows(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // SQLite: error, too big, constraint, mismatch, range. PostgreSQL: data, integrity, no such column.
  const primary = typeof errcode === 'number' ? errcode & 0xff : undefined
  if (primary !== undefined) return [1, 18, 19, 20, 25].includes(primary)
  return typeof code === 'string' && /^(?:22|23|42)[0-9A-Z]{3}$/.test(code)
}

function tooLong(): Failure {
  return new Failure(
    'backup_damaged',
    `The backup has a line of more than ${MAX_LINE_LENGTH >> 20} MB, which no row has; nothing was restored`,
  )
}

function damaged(): Failure {
  return new Failure(
    'backup_damaged',
    'The backup is damaged, incomplete or not a backup of Secretary; nothing was restored',
  )
}
