import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { VectorIndex, VectorOwner } from '../index-store.ts'
import { rowsOf } from '@secretary-mcp/core/sqlite/rows-of.ts'
import type { Write } from './sqlite-index-store.ts'

/** Where the text of each owner comes from. A chunk is read with its file's title and its names, which say what it is about. */
const TEXTS: Readonly<Record<VectorOwner, string>> = {
  chunk:
    'SELECT o.id, f.title || char(10) || o.symbols || char(10) || o.content AS text FROM chunks o JOIN files f ON f.id = o.file_id',
  file: 'SELECT o.id, o.outline AS text FROM files o',
  note: 'SELECT o.id, o.content AS text FROM (SELECT key AS id, content FROM notes) o',
}

interface VectorRow {
  readonly id: number
  readonly vector: Uint8Array
  readonly scope: string | null
}

export function sqliteVectorIndex(db: DatabaseSyncInstance, write: Write): VectorIndex {
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
