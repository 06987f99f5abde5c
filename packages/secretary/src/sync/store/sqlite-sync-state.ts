import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  BLOCKING_WAIT_MS,
  closeSqliteFile,
  isBusy,
  openSqliteFile,
  rowsOf,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import { type Fields, NOT_BEGUN, type Position, type RecordType } from '../segment.ts'

/** What this machine knows of one record. */
export interface KnownRecord {
  readonly type: RecordType
  readonly id: string
  readonly version: string
  /** Of this machine's own dialog: the file as it was last sent. */
  readonly stamp?: string
  /** Of a dialog: what `forget` would name. */
  readonly group?: string
  readonly fields?: Fields
  /** Of a row: its name in this machine's database. */
  readonly local?: string
  readonly isDeleted?: boolean
  /** Said by this machine, so it belongs into its log. */
  readonly isOwn: boolean
  /** The generation of this machine's log that holds this version; 0 where none does. */
  readonly sentIn: number
  /** Characters in the log. */
  readonly size: number
}

export interface OwnLog extends Position {
  /** Characters in this generation, also of what was said again since. */
  readonly written: number
}

/** What a machine remembers between two rounds, in a file of its own. */
export interface SyncState {
  find(type: RecordType, id: string): Promise<KnownRecord | undefined>
  ofType(type: RecordType): Promise<KnownRecord[]>
  save(records: readonly KnownRecord[]): Promise<void>
  forget(records: readonly Pick<KnownRecord, 'type' | 'id'>[]): Promise<void>
  /** The highest version of all. */
  latest(): Promise<string | undefined>
  /** How far the logs of the others were read. */
  positions(): Promise<Map<string, Position>>
  savePosition(machine: string, position: Position): Promise<void>
  dropPosition(machine: string): Promise<void>
  ownLog(): Promise<OwnLog>
  /** At once: a segment is written, and these records are in it. */
  saveSent(log: OwnLog, records: readonly KnownRecord[]): Promise<void>
  /** Which database the rows of the last round were in. */
  database(): Promise<string | undefined>
  saveDatabase(id: string): Promise<void>
  /** Undefined where another process is at it. */
  lock(): Promise<{ release(): Promise<void> } | undefined>
  close(): Promise<void>
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS records (
  type TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL, known TEXT NOT NULL, PRIMARY KEY (type, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS records_by_version ON records (version);
CREATE TABLE IF NOT EXISTS positions (
  machine TEXT PRIMARY KEY, generation INTEGER NOT NULL, sequence INTEGER NOT NULL, chain TEXT NOT NULL,
  written INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS databases (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL);
`
/** No machine is called so. */
const OWN = ''

type PositionRow = OwnLog & { readonly machine: string }

/** What a machine remembers of its rounds; without the file it would send and read everything again. */
export function sqliteSyncState(path: string): SyncState {
  let opening: Promise<DatabaseSyncInstance> | undefined
  const use = () => {
    opening ??= openAt(path)
    return opening
  }
  return {
    async find(type, id) {
      const found = (await use()).prepare('SELECT known FROM records WHERE type = ? AND id = ?')
      return rowsOf<{ known: string }>(found, type, id).map(recordOf)[0]
    },
    async ofType(type) {
      const found = (await use()).prepare('SELECT known FROM records WHERE type = ? ORDER BY id')
      return rowsOf<{ known: string }>(found, type).map(recordOf)
    },
    save: (records) => inTransaction((db) => putRecords(db, records)),
    forget: (records) =>
      inTransaction((db) => {
        const drop = db.prepare('DELETE FROM records WHERE type = ? AND id = ?')
        for (const { type, id } of records) drop.run(type, id)
      }),
    async latest() {
      const found = (await use()).prepare('SELECT max(version) AS latest FROM records')
      return rowsOf<{ latest: string | null }>(found)[0]?.latest ?? undefined
    },
    async positions() {
      const rows = rowsOf<PositionRow>(
        (await use()).prepare('SELECT * FROM positions WHERE machine != ?'),
        OWN,
      )
      return new Map(rows.map(({ machine, written: _written, ...position }) => [machine, position]))
    },
    savePosition: (machine, position) =>
      inTransaction((db) => putPosition(db, machine, { ...position, written: 0 })),
    dropPosition: (machine) =>
      inTransaction((db) => {
        db.prepare('DELETE FROM positions WHERE machine = ?').run(machine)
      }),
    async ownLog() {
      const found = (await use()).prepare('SELECT * FROM positions WHERE machine = ?')
      const [row] = rowsOf<PositionRow>(found, OWN)
      if (!row) return { ...NOT_BEGUN, written: 0 }
      const { machine: _machine, ...log } = row
      return log
    },
    saveSent: (log, records) =>
      inTransaction((db) => {
        putPosition(db, OWN, log)
        putRecords(db, records)
      }),
    async database() {
      const found = (await use()).prepare('SELECT id FROM databases')
      return rowsOf<{ id: string }>(found)[0]?.id
    },
    saveDatabase: (id) =>
      inTransaction((db) => {
        db.prepare('INSERT OR REPLACE INTO databases (one, id) VALUES (1, ?)').run(id)
      }),
    lock: () => holdLock(`${path}-lock`),
    async close() {
      const open = await opening?.catch(() => undefined)
      opening = undefined
      if (open) closeSqliteFile(open)
    },
  }

  async function inTransaction(work: (db: DatabaseSyncInstance) => void): Promise<void> {
    const db = await use()
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    try {
      work(db)
      db.exec('COMMIT')
    } catch (error) {
      // On a full disk SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

function putRecords(db: DatabaseSyncInstance, records: readonly KnownRecord[]): void {
  const put = db.prepare(
    'INSERT OR REPLACE INTO records (type, id, version, known) VALUES (?, ?, ?, ?)',
  )
  for (const record of records)
    put.run(record.type, record.id, record.version, JSON.stringify(record))
}

function putPosition(
  db: DatabaseSyncInstance,
  machine: string,
  { generation, sequence, chain, written }: Position & { readonly written: number },
): void {
  db.prepare(
    'INSERT OR REPLACE INTO positions (machine, generation, sequence, chain, written) VALUES (?, ?, ?, ?, ?)',
  ).run(machine, generation, sequence, chain, written)
}

function recordOf({ known }: { readonly known: string }): KnownRecord {
  return JSON.parse(known) as KnownRecord & { readonly type: RecordType }
}

async function openAt(path: string): Promise<DatabaseSyncInstance> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    await whileBusy(() => db.exec(SCHEMA))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Held as long as this process lives, however it ends; undefined where another one has it. */
export async function holdLock(path: string): Promise<{ release(): Promise<void> } | undefined> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return {
    async release() {
      db.exec('ROLLBACK')
      db.close()
    },
  }
}
