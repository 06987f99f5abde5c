import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type {
  DefinitionHit,
  FileIndex,
  FileRecord,
  Hit,
  IndexedFile,
  StoredChunk,
  StoredFile,
} from '../index-store.ts'
import { rowsOf } from '@secretary-mcp/core/sqlite/rows-of.ts'
import { matchAny } from './match-any.ts'
import { matchTelling } from './match-telling.ts'
import { sqliteScoredTerms } from './scored-terms.ts'
import type { Write } from './sqlite-index-store.ts'
import { sqliteTermCounts } from './term-counts.ts'

/** A term in the path or among the symbols says more than one in the body. */
const BODY_WEIGHT = 1
const PATH_WEIGHT = 1.5
const SYMBOL_WEIGHT = 2

export function sqliteFileIndex(db: DatabaseSyncInstance, write: Write): FileIndex {
  const records = 'SELECT path, hash, size, mtime_ms AS mtimeMs FROM files'
  const at = db.prepare(`${records} WHERE path IN (SELECT value FROM json_each(?))`)
  const behind = db.prepare(`${records} WHERE path > ? ORDER BY path LIMIT ? + 0`)
  const fileId = db.prepare('SELECT id FROM files WHERE path = ?')
  const insertFile = db.prepare(
    'INSERT INTO files (path, hash, size, mtime_ms, language, title, outline) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const insertChunk = db.prepare(
    'INSERT INTO chunks (file_id, line, end_line, kind, symbols, scope, content) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const insertTerms = db.prepare(
    'INSERT INTO chunk_terms (rowid, body, path, symbols) VALUES (?, ?, ?, ?)',
  )
  const insertDefinition = db.prepare(
    'INSERT INTO definitions (term, name, weight, chunk_id, file_id) VALUES (?, ?, ?, ?, ?)',
  )
  const touch = db.prepare('UPDATE files SET mtime_ms = ?, size = ? WHERE path = ?')
  const removal = [
    "DELETE FROM vectors WHERE owner = 'chunk' AND id IN (SELECT id FROM chunks WHERE file_id = ?)",
    "DELETE FROM vectors WHERE owner = 'file' AND id = ?",
    'DELETE FROM chunk_terms WHERE rowid IN (SELECT id FROM chunks WHERE file_id = ?)',
    'DELETE FROM definitions WHERE file_id = ?',
    'DELETE FROM chunks WHERE file_id = ?',
    'DELETE FROM files WHERE id = ?',
  ].map((sql) => db.prepare(sql))
  const after = db.prepare(`SELECT id, path, mtime_ms AS mtimeMs,
       (SELECT coalesce(min(id), 0) FROM chunks WHERE file_id = files.id) AS firstChunkId,
       (SELECT coalesce(max(id), -1) FROM chunks WHERE file_id = files.id) AS lastChunkId
     FROM files WHERE id > ? ORDER BY id LIMIT ? + 0`)
  const score = `-bm25(chunk_terms, ${BODY_WEIGHT}, ${PATH_WEIGHT}, ${SYMBOL_WEIGHT})`
  const scoredTerms = sqliteScoredTerms(db, score)
  const ids = db.prepare('SELECT id FROM files')
  const findChunks = db.prepare(
    `SELECT rowid AS id, ${score} AS score FROM chunk_terms WHERE chunk_terms MATCH ? ORDER BY score DESC LIMIT ? + 0`,
  )
  const chunksWith = db.prepare(
    'SELECT rowid AS id FROM chunk_terms WHERE chunk_terms MATCH ? LIMIT ? + 0',
  )
  const findDefinitions = db.prepare(
    'SELECT term, name, weight, chunk_id AS chunkId, file_id AS fileId FROM definitions WHERE term IN (SELECT value FROM json_each(?)) ORDER BY weight DESC LIMIT ? + 0',
  )
  const chunks = db.prepare(
    'SELECT id, file_id AS fileId, line, end_line AS endLine, kind, symbols, scope, content FROM chunks WHERE id IN (SELECT value FROM json_each(?))',
  )

  function remove(path: string): void {
    const row = fileId.get(path) as { id: number } | undefined
    if (row) for (const statement of removal) statement.run(row.id)
  }

  function put(file: IndexedFile): void {
    remove(file.path)
    const id = Number(
      insertFile.run(
        file.path,
        file.hash,
        file.size,
        file.mtimeMs,
        file.language,
        file.title,
        file.outline,
      ).lastInsertRowid,
    )
    for (const chunk of file.chunks) {
      const { line, endLine, kind, symbols, scope, content } = chunk
      const chunkId = Number(
        insertChunk.run(id, line, endLine, kind, symbols.join('\n'), scope, content)
          .lastInsertRowid,
      )
      insertTerms.run(chunkId, chunk.terms, file.pathTerms, chunk.symbolTerms)
      for (const { term, name, weight } of chunk.definitions)
        insertDefinition.run(term, name, weight, chunkId, id)
    }
  }

  return {
    files: async (paths) =>
      new Map(rowsOf<FileRecord>(at, JSON.stringify(paths)).map((file) => [file.path, file])),
    filesBehind: async (path, limit) => rowsOf<FileRecord>(behind, path, limit),
    putFiles: async (files) => write(() => files.forEach(put)),
    touchFiles: async (files) =>
      write(() => files.forEach((file) => void touch.run(file.mtimeMs, file.size, file.path))),
    removeFiles: async (paths) => write(() => paths.forEach(remove)),
    filesAfter: async (id, limit) => rowsOf<StoredFile>(after, id, limit),
    fileIds: async () => rowsOf<{ id: number }>(ids).map(({ id }) => id),
    findChunks: async (terms, limit) =>
      terms.size === 0
        ? []
        : (scoredTerms.find([...terms.keys()], limit) ??
          rowsOf<Hit>(findChunks, matchTelling(terms), limit)),
    scoreCommonTerms: scoredTerms.scoreCommonTerms,
    chunksWith: async (term, limit) =>
      rowsOf<{ id: number }>(chunksWith, matchAny([term]), limit).map(({ id }) => id),
    findDefinitions: async (terms, limit) =>
      rowsOf<DefinitionHit>(findDefinitions, JSON.stringify(terms), limit),
    chunks: async (ids) => rowsOf<ChunkRow>(chunks, JSON.stringify(ids)).map(chunkOf),
    ...sqliteTermCounts(db, write),
  }
}

/** As it is kept: the names one below the other. */
interface ChunkRow extends Omit<StoredChunk, 'symbols'> {
  readonly symbols: string
}

function chunkOf(row: ChunkRow): StoredChunk {
  return { ...row, symbols: row.symbols ? row.symbols.split('\n') : [] }
}
