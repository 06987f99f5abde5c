import { setImmediate as turn } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { rowsOf } from '@secretary-mcp/core/sqlite/connection.ts'
import type {
  DefinitionHit,
  FileIndex,
  FileRecord,
  Hit,
  IndexedFile,
  StoredChunk,
  StoredFile,
} from '../index-store.ts'
import { highestFirst } from '../vectors/highest-first.ts'
import type { Write } from './sqlite-index-store.ts'

/** When so large a share of the chunks has come since, common terms are scored again. */
const MAX_NEW = 0.05
/** What a common term adds to a chunk that came later, of the most that it adds to any: to rank even one chunk, FTS5 reads the whole list. */
const USUAL_SHARE = 0.5

/** To count a term the full-text index reads every place it occurs in: those above this mark are counted ahead. */
const COMMON = 1_000

/** So many rows can be ranked while somebody waits: each takes a microsecond or two. */
const MAX_RANKED = 30_000

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

/**
 * An FTS5 query for the rows with any of the terms. Where these are too many, it gives only the rows with
 * one of the rarer terms. There the common terms still count: reading where they occur is cheap, ranking
 * every row that has one is not. Each term is named twice then, so that all keep their share of the score.
 */
function matchTelling(frequencies: ReadonlyMap<string, number>, most = MAX_RANKED): string {
  const byRarity = [...frequencies].sort(([, a], [, b]) => a - b)
  const rare: string[] = []
  let rows = 0
  for (const [term, count] of byRarity) {
    if (rare.length > 0 && rows + count > most) break
    rare.push(term)
    rows += count
  }
  if (rare.length === frequencies.size) return matchAny([...frequencies.keys()])
  const common = byRarity.slice(rare.length).map(([term]) => term)
  return `(${matchAny(rare)}) AND (${matchAny([...rare, ...common, ...common])})`
}

function sqliteTermCounts(
  db: DatabaseSyncInstance,
  write: Write,
): Pick<FileIndex, 'frequencies' | 'countCommonTerms'> {
  const counted = db.prepare('SELECT chunks AS n FROM common_terms WHERE term = ?')
  const count = db.prepare('SELECT doc AS n FROM chunk_vocabulary WHERE term = ?')
  const frequency = (term: string) =>
    ((counted.get(term) ?? count.get(term)) as { n: number } | undefined)?.n ?? 0
  return {
    frequencies: async (terms) => new Map(terms.map((term) => [term, frequency(term)])),
    countCommonTerms: async () =>
      write(() =>
        db.exec(
          `DELETE FROM common_terms; INSERT INTO common_terms SELECT term, doc FROM chunk_vocabulary WHERE doc >= ${COMMON}`,
        ),
      ),
  }
}

interface ScoredTerms {
  /** Undefined where none of the terms has been scored. */
  find(terms: readonly string[], limit: number): Hit[] | undefined
  scoreCommonTerms(signal?: AbortSignal): Promise<void>
}

/**
 * FTS5 takes a microsecond to rank a row, and a common term is in a hundred thousand. A row's score is the sum of what
 * each term adds, so for common terms that is worked out ahead, by FTS5 itself; terms without a list are
 * ranked when asked for. Lists may name chunks that are gone.
 */
function sqliteScoredTerms(db: DatabaseSyncInstance, score: string): ScoredTerms {
  const newest = db.prepare('SELECT max(last_id) AS id FROM scored_terms')
  const lists = db.prepare(
    'SELECT term, most, scores AS bytes FROM scored_terms WHERE +last_id = ? AND term IN (SELECT value FROM json_each(?))',
  )
  const ranked = db.prepare(
    `SELECT rowid AS id, ${score} AS score FROM chunk_terms WHERE chunk_terms MATCH ? AND rowid <= ? + 0`,
  )
  ranked.setReturnArrays(true)
  const after = db.prepare(
    'SELECT rowid AS id FROM chunk_terms WHERE chunk_terms MATCH ? AND rowid > ? + 0',
  )
  const lastChunk = db.prepare('SELECT coalesce(max(id), 0) AS id FROM chunks')
  const unscored = db.prepare(
    `SELECT term FROM common_terms WHERE chunks * 2 < (SELECT n FROM totals WHERE name = 'chunks')
     AND term NOT IN (SELECT term FROM scored_terms WHERE last_id = ?)`,
  )
  const keep = db.prepare(
    'INSERT OR REPLACE INTO scored_terms (term, last_id, most, scores) VALUES (?, ?, ?, ?)',
  )
  const idOf = (statement: typeof newest) => (statement.get() as { id: number | null }).id ?? 0
  let sums = new Float32Array(0)

  return {
    find(terms, limit) {
      const last = idOf(newest)
      const known = last > 0 ? rowsOf<ListRow>(lists, last, JSON.stringify(terms)) : []
      if (known.length === 0) return undefined
      if (sums.length <= last) sums = new Float32Array(last + 1)
      else sums.fill(0)
      for (const list of known) addScores(list, sums)
      const scored = new Set(known.map(({ term }) => term))
      const others = terms.filter((term) => !scored.has(term))
      const recent = new Map<number, number>()
      for (const { term, most } of known)
        for (const { id } of rowsOf<{ id: number }>(after, matchAny([term]), last))
          recent.set(id, (recent.get(id) ?? 0) + most * USUAL_SHARE)
      if (others.length > 0)
        for (const [id, score] of rowsOf<Scored>(ranked, matchAny(others), Number.MAX_SAFE_INTEGER))
          if (id > last) recent.set(id, (recent.get(id) ?? 0) + score)
          else (sums[id] as number) += score
      return best(sums, recent, limit)
    },
    async scoreCommonTerms(signal) {
      const now = idOf(lastChunk)
      const before = idOf(newest)
      const last = now - before > now * MAX_NEW ? now : before
      for (const { term } of rowsOf<{ term: string }>(unscored, last)) {
        const { most, bytes } = packScores(rowsOf<Scored>(ranked, matchAny([term]), last))
        keep.run(term, last, most, bytes)
        await turn(undefined, { signal })
      }
    },
  }
}

interface ListRow {
  readonly term: string
  readonly most: number
  readonly bytes: Uint8Array
}

function best(sums: Float32Array, recent: ReadonlyMap<number, number>, limit: number): Hit[] {
  return highestFirst(sums, limit)
    .map((id) => ({ id, score: sums[id] as number }))
    .filter(({ score }) => score > 0)
    .concat([...recent].map(([id, score]) => ({ id, score })))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

/** An FTS5 query for rows with any of the terms; quoted, so that no term can be an operator. */
export function matchAny(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
}

/** A chunk and what a term adds to its score; a pair, because there are very many. */
type Scored = readonly [id: number, score: number]

/** What one term adds to the score of each chunk that has it: two or three bytes a chunk. */
interface ScoreList {
  /** The score that the highest byte stands for. */
  readonly most: number
  readonly bytes: Uint8Array
}

const HIGHEST = 255
/** Steps between ids are written seven bits to a byte, the lowest first; the high bit says that more follow. */
const BITS = 7
const MORE = 1 << BITS
const MAX_LENGTH = 6

/** The chunks come in order of id. */
export function packScores(hits: readonly Scored[]): ScoreList {
  const most = hits.reduce((highest, [, score]) => Math.max(highest, score), 0) || 1
  const bytes = new Uint8Array(hits.length * MAX_LENGTH)
  let at = 0
  let last = 0
  for (const [id, score] of hits) {
    let step = id - last
    for (; step >= MORE; step = Math.floor(step / MORE)) bytes[at++] = (step % MORE) | MORE
    bytes[at++] = step
    bytes[at++] = Math.max(1, Math.round((score / most) * HIGHEST))
    last = id
  }
  return { most, bytes: bytes.subarray(0, at) }
}

/** Adds each chunk's score at the place of its id. */
export function addScores({ most, bytes }: ScoreList, sums: Float32Array): void {
  const unit = most / HIGHEST
  let id = 0
  for (let at = 0; at < bytes.length; ) {
    let shift = 0
    let byte = bytes[at++] as number
    while (byte >= MORE) {
      id += (byte - MORE) * 2 ** shift
      shift += BITS
      byte = bytes[at++] as number
    }
    id += shift === 0 ? byte : byte * 2 ** shift
    ;(sums[id] as number) += (bytes[at++] as number) * unit
  }
}
