import type { VectorCache } from '../../../context/embedder/vector-cache.ts'
import type { VectorIndex, VectorOwner } from '../../../context/search/index-store.ts'
import type { IndexConnection } from './connection.ts'

const TEXTS: Readonly<Record<VectorOwner, string>> = {
  chunk:
    'select o.id, f.title || chr(10) || o.symbols || chr(10) || o.content as text from search_chunks o join search_files f on f.id = o.file_id where o.project = $1',
  file: 'select o.id, o.outline as text from search_files o where o.project = $1',
  note: 'select o.id, o.content as text from (select key as id, content, project from search_notes) o where o.project = $1',
}

interface VectorRow {
  readonly id: number
  readonly vector: Buffer
}

/** Vectors are kept as bytes and compared in process, as with SQLite: a project's fit in memory and take a millisecond. */
export function postgresVectorIndex({ project, run, write }: IndexConnection): VectorIndex {
  return {
    async vectorsAfter(modelId, owner, id, limit) {
      const rows = await run<VectorRow>(
        'select id, vector from search_vectors where project = $1 and model = $2 and owner = $3 and id > $4 order by id limit $5',
        [project, modelId, owner, id, limit],
      )
      return rows.map((row) => ({ id: row.id, vector: bytes(row.vector) }))
    },
    withoutVector: (modelId, owner, id, limit) =>
      run(
        `${TEXTS[owner]} and o.id > $2 and not exists (
           select 1 from search_vectors v where v.project = $1 and v.model = $3 and v.owner = '${owner}' and v.id = o.id
         ) order by o.id limit $4`,
        [project, id, modelId, limit],
      ),
    async lastVectorId(modelId, owner) {
      const [row] = await run<{ id: number | null }>(
        'select max(id) as id from search_vectors where project = $1 and model = $2 and owner = $3',
        [project, modelId, owner],
      )
      return row?.id ?? 0
    },
    putVectors: (modelId, owner, vectors) =>
      write(async (on) => {
        await on(
          `insert into search_vectors (project, model, owner, id, vector) select $1, $2, $3, id, vector from unnest($4::bigint[], $5::bytea[]) as t (id, vector)
           on conflict (project, model, owner, id) do update set vector = excluded.vector`,
          [
            project,
            modelId,
            owner,
            vectors.map(({ id }) => id),
            vectors.map(({ vector }) =>
              Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
            ),
          ],
        )
      }),
    async vectorCounts() {
      const rows = await run<{ model: string; n: number }>(
        'select model, count(*)::int as n from search_vectors where project = $1 group by model',
        [project],
      )
      return new Map(rows.map(({ model, n }) => [model, n]))
    },
    dropModel: (modelId) =>
      write(async (on) => {
        await on('delete from search_vectors where project = $1 and model = $2', [project, modelId])
      }),
  }
}

export function postgresVectorCache({ run }: IndexConnection): VectorCache {
  return {
    async find(modelId, hashes) {
      const rows = await run<{ hash: string; vector: Buffer }>(
        'select hash, vector from search_vector_cache where model = $1 and hash = any($2)',
        [modelId, hashes],
      )
      return new Map(rows.map((row) => [row.hash, bytes(row.vector)]))
    },
    async keep(modelId, vectors) {
      await run(
        `insert into search_vector_cache (model, hash, vector) select $1, hash, vector from unnest($2::text[], $3::bytea[]) as t (hash, vector)
         on conflict (model, hash) do nothing`,
        [
          modelId,
          [...vectors.keys()],
          [...vectors.values()].map((vector) =>
            Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
          ),
        ],
      )
    },
  }
}

function bytes(buffer: Buffer): Int8Array {
  return new Int8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}
