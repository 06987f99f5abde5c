import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { VectorCache } from '../embedder/vector-cache.ts'

export function sqliteVectorCache(db: DatabaseSyncInstance): VectorCache {
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
