import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { VectorIndex, VectorOwner } from '../../../search/index-store.ts'
import { rowsOf } from '../rows-of.ts'
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
    'INSERT OR REPLACE INTO vectors (model, owner, id, vector) VALUES (?, ?, ?, ?)',
  )
  const counts = db.prepare('SELECT model, count(*) AS n FROM vectors GROUP BY model')
  const drop = db.prepare('DELETE FROM vectors WHERE model = ?')
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
    dropModel: async (modelId) => write(() => void drop.run(modelId)),
  }
}
