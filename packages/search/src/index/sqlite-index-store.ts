import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  BLOCKING_WAIT_MS,
  closeSqliteFile,
  isBusy,
  openSqliteFile,
  rowsOf,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import { sqliteFailure } from '@secretary-mcp/core/sqlite/sqlite-failure.ts'
import type { VectorCache } from '../embedder/embedder.ts'
import {
  type Hit,
  type IndexedNote,
  type IndexLock,
  type IndexStore,
  indexDamaged,
  type NoteIndex,
  type StoredNote,
  type VectorIndex,
  type VectorOwner,
} from '../index-store.ts'
import { matchAny, sqliteFileIndex } from './file-index.ts'

/** Raised with every change of the tables below or of how terms are made: an index of another version is rebuilt, never migrated. */
const INDEX_VERSION = 7

/** What the turns around say helps to find this one, but less than what it says itself. */
const NEIGHBOUR_WEIGHT = 0.3

/** Where the text of each owner comes from. A chunk is read with its file's title and its names, which say what it is about. */
const TEXTS: Readonly<Record<VectorOwner, string>> = {
  chunk:
    'SELECT o.id, f.title || char(10) || o.symbols || char(10) || o.content AS text FROM chunks o JOIN files f ON f.id = o.file_id',
  file: 'SELECT o.id, o.outline AS text FROM files o',
  note: 'SELECT o.id, o.content AS text FROM (SELECT key AS id, content FROM notes) o',
}

/** A project's search index in a file of its own. */
export async function openSqliteIndexStore(
  path: string,
  log: Log,
): Promise<IndexStore & { readonly vectorCache: VectorCache }> {
  const db = await openIndexDatabase(path, log)
  const write = writer(db)
  const setMeta = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const removeMeta = db.prepare('DELETE FROM meta WHERE key = ?')
  const getMeta = db.prepare('SELECT value FROM meta WHERE key = ?')
  const total = db.prepare('SELECT n FROM totals WHERE name = ?')
  const totalOf = (name: string) => (total.get(name) as { n: number } | undefined)?.n ?? 0
  const guard = throwAwayDamaged(db, log)
  const mustBeThere = refuseReplaced(db)
  const store = guard({
    ...sqliteFileIndex(db, write),
    ...sqliteNoteIndex(db, write),
    ...sqliteVectorIndex(db, write),
    ...sqliteIndexLock(db),
    vectorCache: guard(sqliteVectorCache(db)),
    counts: async () => ({
      files: totalOf('files'),
      chunks: totalOf('chunks'),
      notes: totalOf('notes'),
    }),
    async revision() {
      mustBeThere()
      return Number((getMeta.get('revision') as { value: string } | undefined)?.value ?? 0)
    },
    mark: async (name: string) =>
      (getMeta.get(`mark ${name}`) as { value: string } | undefined)?.value,
    setMark: async (name: string, value: string | undefined) => {
      if (value === undefined) removeMeta.run(`mark ${name}`)
      else setMeta.run(`mark ${name}`, value)
    },
    isPrivate: db.location() === null,
  })
  return {
    ...store,
    async close() {
      if (db.isOpen) db.close()
    },
  }
}

/** Runs one write as one transaction and moves the revision. */
export type Write = (change: () => void) => void

function writer(db: DatabaseSyncInstance): Write {
  const bump = db.prepare(
    "INSERT INTO meta (key, value) VALUES ('revision', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
  )
  return (change) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      change()
      bump.run()
      db.exec('COMMIT')
    } catch (error) {
      // On a full disk SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

function sqliteIndexLock(db: DatabaseSyncInstance): IndexLock {
  // One statement decides, so two processes can never both have it.
  const acquire = db.prepare(
    `INSERT INTO indexing (one, pid, heartbeat_ms) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET pid = excluded.pid, heartbeat_ms = excluded.heartbeat_ms
     WHERE indexing.pid = excluded.pid OR indexing.heartbeat_ms NOT BETWEEN ? AND ?`,
  )
  const release = db.prepare('DELETE FROM indexing WHERE pid = ?')
  const holder = db.prepare('SELECT pid FROM indexing WHERE heartbeat_ms BETWEEN ? AND ?')
  // A sign of life from the future was given before the clock was set back.
  const valid = (nowMs: number, staleMs: number) => [nowMs - staleMs, nowMs + staleMs] as const
  const findHolder = (nowMs: number, staleMs: number) =>
    (holder.get(...valid(nowMs, staleMs)) as { pid: number } | undefined)?.pid
  return {
    async acquireLock(pid, nowMs, staleMs) {
      acquire.run(pid, nowMs, ...valid(nowMs, staleMs))
      return findHolder(nowMs, staleMs) ?? pid
    },
    releaseLock: async (pid) => void release.run(pid),
    lockHolder: async (nowMs, staleMs) => findHolder(nowMs, staleMs),
  }
}

function sqliteVectorCache(db: DatabaseSyncInstance): VectorCache {
  const find = db.prepare(
    'SELECT hash, vector FROM vector_cache WHERE model = ? AND hash IN (SELECT value FROM json_each(?))',
  )
  const keep = db.prepare(
    'INSERT OR REPLACE INTO vector_cache (model, hash, vector) VALUES (?, ?, ?)',
  )
  return {
    async find(modelId, hashes) {
      const rows = find.all(modelId, JSON.stringify(hashes)) as {
        hash: string
        vector: Uint8Array
      }[]
      return new Map(
        rows.map(({ hash, vector }) => [
          hash,
          new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
        ]),
      )
    },
    async keep(modelId, vectors) {
      db.exec('BEGIN IMMEDIATE')
      try {
        for (const [hash, vector] of vectors)
          keep.run(
            modelId,
            hash,
            new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
          )
        db.exec('COMMIT')
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
  }
}

type Guard = <T extends object>(part: T) => T

/**
 * Damage shows when a page is first read, long after opening. Then the file is thrown away, so that whoever opens it next starts
 * over; every later call through this connection says the same.
 */
function throwAwayDamaged(db: DatabaseSyncInstance, log: Log): Guard {
  const path = db.location()
  const opened = path === null ? undefined : fileNumber(path)
  let damage: Failure | undefined

  function seen(error: unknown): unknown {
    const failure = sqliteFailure(error, path ?? '')
    if (!(failure instanceof Failure) || failure.errorType !== 'storage_corrupt') return failure
    damage = indexDamaged(error)
    log.warn({ path, error: String(error) }, 'the search index is damaged and will be rebuilt')
    db.close()
    // Another process may have put a sound one in its place.
    if (path !== null && fileNumber(path) === opened)
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return damage
  }

  function guarded(call: (...given: unknown[]) => unknown) {
    return async (...given: unknown[]) => {
      if (damage) throw damage
      try {
        // Each call is one transaction, so that a failed one can be tried again.
        return await whileBusy(() => call(...given))
      } catch (error) {
        throw seen(error)
      }
    }
  }

  return <T extends object>(part: T) =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => [
        name,
        typeof value === 'function' ? guarded(value) : value,
      ]),
    ) as T
}

/** Says so when a file was deleted or replaced while it was open: what others write into the new one would never be seen here. */
function refuseReplaced(db: DatabaseSyncInstance): () => void {
  const path = db.location()
  const opened = path === null ? undefined : fileNumber(path)
  return () => {
    if (path !== null && fileNumber(path) !== opened)
      throw indexDamaged(new Error(`${path} was removed or replaced`))
  }
}

function fileNumber(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

/**
 * Opens a project's index. It holds nothing that cannot be made again: a file that is corrupt or of another version is replaced,
 * and where nothing can be written the index lives in memory.
 */
async function openIndexDatabase(path: string, log: Log): Promise<DatabaseSyncInstance> {
  try {
    return await openAt(path)
  } catch (error) {
    if (isUnwritable(error)) return inMemory(path, error, log)
    // Somebody is writing it: that is no reason to throw their work away.
    if (isBusy(error)) throw sqliteFailure(error, path)
    log.warn({ path, error: String(error) }, 'the search index cannot be used and is rebuilt')
  }
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    return await openAt(path)
  } catch (error) {
    return inMemory(path, error, log)
  }
}

async function openAt(path: string): Promise<DatabaseSyncInstance> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0])
    if (version === 0) db.exec(`${INDEX_SCHEMA}; PRAGMA user_version = ${INDEX_VERSION}`)
    db.exec('COMMIT')
    if (version !== 0 && version !== INDEX_VERSION)
      throw new Error(`index version ${version}, wanted ${INDEX_VERSION}`)
    const chunks = db.prepare("SELECT n FROM totals WHERE name = 'chunks'").get() as
      | Total
      | undefined
    db.exec(`PRAGMA cache_size = -${cacheKilobytes(chunks?.n ?? 0)}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

interface Total {
  readonly n: number
}

/** A search in a large index looks at many pages: 8 MB up to 125,000 chunks, 64 MB from a million on. */
function cacheKilobytes(chunks: number): number {
  return Math.min(64_000, Math.max(8_000, Math.round(chunks * 0.064)))
}

async function inMemory(path: string, error: unknown, log: Log): Promise<DatabaseSyncInstance> {
  log.warn(
    { path, error: String(error) },
    'the search index cannot be written to disk; it is kept in memory for this run',
  )
  return openAt(':memory:')
}

/** What is there may be sound, and is left alone. */
function isUnwritable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return (
    /EACCES|EROFS|EPERM|ENOTDIR|EEXIST|ENOSPC|EDQUOT|EMFILE|ENFILE/.test(code ?? '') ||
    /readonly|read-only|unable to open|disk is full|disk I\/O error/i.test(message ?? '')
  )
}

interface VectorRow {
  readonly id: number
  readonly vector: Uint8Array
  readonly scope: string | null
}

function sqliteVectorIndex(db: DatabaseSyncInstance, write: Write): VectorIndex {
  const after = db.prepare(
    `SELECT v.id, v.vector, n.scope FROM vectors v LEFT JOIN notes n ON v.owner = 'note' AND n.key = v.id
     WHERE v.model = ? AND v.owner = ? AND v.id > ? ORDER BY v.id LIMIT ? + 0`,
  )
  const last = db.prepare(
    'SELECT id FROM vectors WHERE model = ? AND owner = ? ORDER BY id DESC LIMIT 1',
  )
  const insert = db.prepare(
    'INSERT INTO vectors (model, owner, id, vector) VALUES (?, ?, ?, ?) ON CONFLICT (owner, id, model) DO UPDATE SET vector = excluded.vector',
  )
  const some = db.prepare(
    'SELECT id, vector FROM vectors WHERE model = ? AND owner = ? AND id IN (SELECT value FROM json_each(?))',
  )
  const counts = db.prepare(
    "SELECT substr(name, 9) AS model, n FROM totals WHERE name LIKE 'vectors %' AND n > 0",
  )
  const drop = db.prepare('DELETE FROM vectors WHERE model = ?')
  const blocks = db.prepare(
    'SELECT ids, signs FROM sign_blocks WHERE model = ? AND last_id > ? ORDER BY last_id LIMIT ? + 0',
  )
  const insertBlock = db.prepare(
    'INSERT OR REPLACE INTO sign_blocks (model, last_id, ids, signs) VALUES (?, ?, ?, ?)',
  )
  const dropBlocks = db.prepare('DELETE FROM sign_blocks WHERE model = ?')
  const missing = new Map(
    Object.entries(TEXTS).map(([owner, from]) => [
      owner,
      db.prepare(
        `${from} WHERE o.id > ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ? AND v.owner = '${owner}' AND v.id = o.id) ORDER BY o.id LIMIT ? + 0`,
      ),
    ]),
  )
  return {
    vectorsAfter: async (modelId, owner, id, limit) =>
      rowsOf<VectorRow>(after, modelId, owner, id, limit).map(({ id, vector, scope }) => ({
        id,
        vector: new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
        ...(scope === null ? {} : { scope }),
      })),
    vectorsOf: async (modelId, owner, ids) =>
      rowsOf<VectorRow>(some, modelId, owner, JSON.stringify(ids)).map(({ id, vector }) => ({
        id,
        vector: new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
      })),
    signBlocksAfter: async (modelId, id, limit) =>
      rowsOf<{ ids: Uint8Array; signs: Uint8Array }>(blocks, modelId, id, limit).map(
        // Copied, because numbers of eight bytes must begin at a multiple of eight.
        ({ ids, signs }) => ({ ids: new Float64Array(ids.slice().buffer), signs }),
      ),
    putSignBlock: async (modelId, { ids, signs }) =>
      write(() => {
        const bytes = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength)
        insertBlock.run(modelId, ids.at(-1) ?? 0, bytes, signs)
      }),
    dropSignBlocks: async (modelId) => write(() => void dropBlocks.run(modelId)),
    withoutVector: async (modelId, owner, id, limit) =>
      (missing.get(owner)?.all(id, modelId, limit) ?? []) as { id: number; text: string }[],
    lastVectorId: async (modelId, owner) =>
      (last.get(modelId, owner) as { id: number | null } | undefined)?.id ?? 0,
    putVectors: async (modelId, owner, vectors) =>
      write(() => {
        for (const { id, vector } of vectors)
          insert.run(
            modelId,
            owner,
            id,
            new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
          )
      }),
    vectorCounts: async () =>
      new Map((counts.all() as { model: string; n: number }[]).map((row) => [row.model, row.n])),
    dropModel: async (modelId) =>
      write(() => {
        drop.run(modelId)
        dropBlocks.run(modelId)
      }),
  }
}

function sqliteNoteIndex(db: DatabaseSyncInstance, write: Write): NoteIndex {
  const known = db.prepare(
    'SELECT key, content, neighbours, module, date, access_count AS accessCount FROM notes WHERE scope = ? AND id = ?',
  )
  const insert = db.prepare(
    'INSERT INTO notes (scope, id, source, type, content, neighbours, module, session, date, access_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const count = db.prepare('UPDATE notes SET access_count = ? WHERE key = ?')
  const under = db.prepare(
    'SELECT id FROM notes WHERE scope = ? AND id >= ? AND substr(id, 1, length(?)) = ?',
  )
  const insertTerms = db.prepare(
    'INSERT INTO note_terms (rowid, body, neighbours) VALUES (?, ?, ?)',
  )
  const removal = [
    "DELETE FROM vectors WHERE owner = 'note' AND id = ?",
    'DELETE FROM note_terms WHERE rowid = ?',
    'DELETE FROM notes WHERE key = ?',
  ].map((sql) => db.prepare(sql))
  const find = db.prepare(
    `SELECT note_terms.rowid AS id, -bm25(note_terms, 1.0, ${NEIGHBOUR_WEIGHT}) AS score
     FROM note_terms JOIN notes ON notes.key = note_terms.rowid
     WHERE note_terms MATCH ? AND notes.scope IN (SELECT value FROM json_each(?))
     ORDER BY score DESC LIMIT ? + 0`,
  )
  const read = db.prepare(
    'SELECT key, id, source, type, content, module, session, date, access_count AS accessCount FROM notes WHERE key IN (SELECT value FROM json_each(?))',
  )

  function remove(scope: string, id: string): void {
    const [row] = rowsOf<{ key: number }>(known, scope, id)
    if (row) for (const statement of removal) statement.run(row.key)
  }

  function put(note: IndexedNote): void {
    const { scope = '', id } = note
    const [before] = rowsOf<KnownNote>(known, scope, id)
    // What is fed again at every start keeps its place and its vector.
    if (before && isSame(before, note)) {
      if (before.accessCount !== (note.accessCount ?? 0))
        count.run(note.accessCount ?? 0, before.key)
      return
    }
    remove(scope, id)
    const { lastInsertRowid } = insert.run(
      scope,
      id,
      note.source,
      note.type ?? null,
      note.content,
      note.neighbours ?? null,
      note.module ?? null,
      note.session ?? null,
      note.date,
      note.accessCount ?? 0,
    )
    insertTerms.run(lastInsertRowid, note.terms, note.neighbourTerms)
  }

  return {
    putNotes: async (notes) => write(() => notes.forEach(put)),
    removeNotes: async (scope, ids) => {
      if (ids.length === 0) return
      write(() => {
        for (const id of ids) remove(scope, id)
      })
    },
    noteIdsUnder: async (scope, prefix) =>
      rowsOf<{ id: string }>(under, scope, prefix, prefix, prefix).map(({ id }) => id),
    findNotes: async (terms, scopes, limit) =>
      terms.length ? rowsOf<Hit>(find, matchAny(terms), JSON.stringify(scopes), limit) : [],
    notes: async (keys) => rowsOf<StoredNote>(read, JSON.stringify(keys)),
  }
}

interface KnownNote {
  readonly key: number
  readonly content: string
  readonly neighbours: string | null
  readonly module: string | null
  readonly date: string
  readonly accessCount: number
}

function isSame(before: KnownNote, note: IndexedNote): boolean {
  return (
    before.content === note.content &&
    before.neighbours === (note.neighbours ?? null) &&
    before.module === (note.module ?? null) &&
    before.date === note.date
  )
}

interface Forgotten {
  readonly sessions: readonly string[]
  readonly discoveries: readonly string[]
}

/** Removes what was said in dialogs from the index of every project, also from those that nobody has open. */
export async function forgetNotes(folder: string, forgotten: Forgotten, log: Log): Promise<void> {
  for (const name of filesIn(folder)) {
    const path = join(folder, name)
    try {
      await forgetIn(path, forgotten)
    } catch (error) {
      // It is told of what is gone when it is next used.
      log.warn({ path, error: String(error) }, 'forgotten dialogs may still be in a search index')
    }
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.db'))
  } catch {
    return []
  }
}

async function forgetIn(path: string, { sessions, discoveries }: Forgotten): Promise<void> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0])
    if (version !== INDEX_VERSION) return
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    db.exec('CREATE TEMP TABLE doomed (key INTEGER PRIMARY KEY)')
    const { changes } = db
      .prepare(
        `INSERT INTO doomed SELECT key FROM notes
         WHERE (source = 'session' AND session IN (SELECT value FROM json_each(?)))
         OR (source = 'discovery' AND id IN (SELECT value FROM json_each(?)))`,
      )
      .run(JSON.stringify(sessions), JSON.stringify(discoveries))
    for (const part of [
      "vectors WHERE owner = 'note' AND id",
      'note_terms WHERE rowid',
      'notes WHERE key',
    ])
      db.exec(`DELETE FROM ${part} IN (SELECT key FROM doomed)`)
    db.exec('COMMIT')
    // The words of a deleted note stay in the full-text index until its parts are merged.
    if (Number(changes) > 0) db.exec("INSERT INTO note_terms (note_terms) VALUES ('optimize')")
  } finally {
    closeSqliteFile(db)
  }
}

/** Terms arrive stemmed and in lower case, so the plainest tokenizer does. */
const INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, size INTEGER NOT NULL, mtime_ms REAL NOT NULL,
  language TEXT NOT NULL, title TEXT NOT NULL, outline TEXT NOT NULL
);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, file_id INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  kind TEXT NOT NULL, symbols TEXT NOT NULL, scope TEXT NOT NULL, content TEXT NOT NULL
);
CREATE INDEX chunks_by_file ON chunks (file_id);
CREATE TABLE definitions (term TEXT NOT NULL, name TEXT NOT NULL, weight REAL NOT NULL, chunk_id INTEGER NOT NULL, file_id INTEGER NOT NULL);
CREATE INDEX definitions_by_term ON definitions (term, weight DESC);
CREATE INDEX definitions_by_file ON definitions (file_id);
CREATE VIRTUAL TABLE chunk_terms USING fts5 (body, path, symbols, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_terms, row);
CREATE TABLE notes (
  key INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, type TEXT,
  content TEXT NOT NULL, neighbours TEXT, module TEXT, session TEXT, date TEXT NOT NULL, access_count INTEGER NOT NULL,
  UNIQUE (scope, id)
);
CREATE VIRTUAL TABLE note_terms USING fts5 (body, neighbours, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE TABLE vectors (
  model TEXT NOT NULL, owner TEXT NOT NULL, id INTEGER NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (owner, id, model)
) WITHOUT ROWID;
CREATE TABLE sign_blocks (model TEXT NOT NULL, last_id INTEGER NOT NULL, ids BLOB NOT NULL, signs BLOB NOT NULL, PRIMARY KEY (model, last_id));
CREATE TABLE common_terms (term TEXT PRIMARY KEY, chunks INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE scored_terms (term TEXT PRIMARY KEY, last_id INTEGER NOT NULL, most REAL NOT NULL, scores BLOB NOT NULL);
CREATE INDEX scored_terms_by_age ON scored_terms (last_id);
CREATE TABLE vector_cache (model TEXT NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, hash)) WITHOUT ROWID;
CREATE TABLE indexing (one INTEGER PRIMARY KEY CHECK (one = 1), pid INTEGER NOT NULL, heartbeat_ms REAL NOT NULL);
CREATE TABLE totals (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
${['files', 'chunks', 'notes'].map((table) => counted(table, `'${table}'`, `'${table}'`)).join('')}
${counted('vectors', "'vectors ' || new.model", "'vectors ' || old.model")}
`

/** Counting a million rows takes longer than a search: what is asked at every search is kept up to date instead. */
function counted(table: string, added: string, removed: string): string {
  return `
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
  INSERT INTO totals VALUES (${added}, 1) ON CONFLICT (name) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
  UPDATE totals SET n = n - 1 WHERE name = ${removed};
END;`
}
