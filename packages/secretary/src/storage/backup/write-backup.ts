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

export type TableName = keyof Tables

/** Every table by its key, so that a new one cannot be forgotten; a table stands after those that it refers to. */
export const KEYS: { readonly [T in TableName]: readonly (keyof Tables[T] & string)[] } = {
  spaces: ['id'],
  space_members: ['space_id', 'user_id'],
  space_invitations: ['space_id', 'user_id'],
  tasks: ['id'],
  task_requests: ['task_id'],
  pins: ['id'],
  dismissals: ['user_id', 'need'],
  discoveries: ['id'],
  shared_requests: ['space_id', 'user_id', 'session_id', 'position'],
  request_sharing: ['user_id', 'project', 'space_id'],
  unshared_dialogs: ['user_id', 'session_id', 'space_id'],
  conversations: ['id'],
  messages: ['id'],
  tokens: ['id'],
  browser_sessions: ['hash'],
  sign_in_codes: ['hash'],
  audit_log: ['id'],
  space_documents: ['space_id', 'path'],
  shared_documents: ['path'],
  shared_versions: ['name'],
  guide_projects: ['key'],
  guide_selections: ['project', 'kind', 'name'],
  guide_profiles: ['project', 'name'],
  guide_flags: ['scope', 'name'],
  calls: ['id'],
  call_days: ['day', 'user_id', 'agent', 'project', 'tool'],
  tool_tallies: ['tool', 'user_id', 'hour', 'key', 'replica'],
  file_accesses: ['user_id', 'project', 'path'],
  context_sessions: ['user_id', 'project', 'id'],
  dialogs: ['owner', 'key'],
  sync_segments: ['user_id', 'machine', 'generation', 'sequence'],
}

export const TABLES = Object.keys(KEYS) as TableName[]

/**
 * What every database has, or a server notes by itself as soon as it runs: one with nothing else in it counts as empty.
 * The space of everybody is there from the beginning; one that a person made has members.
 */
export const NOTED: ReadonlySet<TableName> = new Set<TableName>([
  'spaces',
  'shared_versions',
  'browser_sessions',
  'sign_in_codes',
  'calls',
  'call_days',
  'tool_tallies',
  'file_accesses',
  'context_sessions',
  'dialogs',
])

/** Ids that the database itself gives. */
export const NUMBERED: readonly TableName[] = ['tasks', 'messages', 'audit_log', 'calls']

export type Row = Readonly<Record<string, string | number | null>>

/** A backup is gzipped JSON, a line each: this one, then `[table, row]` for every row, then the number of rows. */
interface BackupHead {
  readonly secretary: 'backup'
  readonly format: 1
  readonly version: string
  readonly createdAt: string
  /** The last change to the schema that the rows fit. */
  readonly schema: string
}

interface BackupEnd {
  readonly rows: number
}
