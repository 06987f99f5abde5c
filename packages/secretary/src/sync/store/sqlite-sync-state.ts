import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  BLOCKING_WAIT_MS,
  closeSqliteFile,
  openSqliteFile,
  rowsOf,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import type { RecordType } from '../record.ts'
import { NOT_BEGUN, type Position } from '../segment.ts'
import type { KnownRecord, OwnLog, SyncState } from '../sync-state.ts'
import { holdLock } from './round-lock.ts'

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
