import type {
  DefinitionHit,
  FileIndex,
  FileRecord,
  IndexedFile,
  StoredFile,
} from '../../../context/search/index-store.ts'
import { type ChunkRow, chunkOf } from '../../chunk-row.ts'
import { documentCounts, findByTerms, type TermTable } from './bm25.ts'
import type { IndexConnection, Run } from './connection.ts'

/** A term in the path or among the symbols says more than one in the body. */
const CHUNKS: TermTable = { name: 'search_chunks', id: 'id', weights: { A: 2, B: 1.5, D: 1 } }

export function postgresFileIndex(connection: IndexConnection): FileIndex {
  const { project, run, write } = connection
  async function remove(on: Run, paths: readonly string[]): Promise<void> {
    await on(
      `with gone as (select id from search_files where project = $1 and path = any($2))
       delete from search_vectors v where v.project = $1 and (
         (v.owner = 'file' and v.id in (select id from gone)) or
         (v.owner = 'chunk' and v.id in (select c.id from search_chunks c where c.file_id in (select id from gone))))`,
      [project, paths],
    )
    await on('delete from search_files where project = $1 and path = any($2)', [project, paths])
  }

  async function put(on: Run, file: IndexedFile): Promise<void> {
    const [row] = await on<{ id: number }>(
      `insert into search_files (project, path, hash, size, mtime_ms, language, title, outline)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [
        project,
        file.path,
        file.hash,
        file.size,
        file.mtimeMs,
        file.language,
        file.title,
        clean(file.outline),
      ],
    )
    const chunks = file.chunks.map((chunk) => ({
      line: chunk.line,
      end_line: chunk.endLine,
      kind: chunk.kind,
      symbols: clean(chunk.symbols.join('\n')),
      scope: clean(chunk.scope),
      content: clean(chunk.content),
      body: clean(chunk.terms),
      names: clean(chunk.symbolTerms),
      length: wordCount(chunk.terms) + wordCount(chunk.symbolTerms) + wordCount(file.pathTerms),
    }))
    const ids = await on<{ id: number }>(
      `insert into search_chunks (project, file_id, line, end_line, kind, symbols, scope, content, terms, length)
       select $1, $2, c.line, c.end_line, c.kind, c.symbols, c.scope, c.content,
         setweight(to_tsvector('simple', c.names), 'A') || setweight(to_tsvector('simple', $3), 'B') || to_tsvector('simple', c.body), c.length
       from json_to_recordset($4) as c (line int, end_line int, kind text, symbols text, scope text, content text, body text, names text, length int)
       returning id`,
      [project, row?.id, file.pathTerms, JSON.stringify(chunks)],
    )
    const definitions = file.chunks.flatMap((chunk, i) =>
      chunk.definitions.map(({ term, name, weight }) => ({
        term: clean(term),
        name: clean(name),
        weight,
        chunk_id: ids[i]?.id,
      })),
    )
    await on(
      `insert into search_definitions (project, term, name, weight, chunk_id, file_id)
       select $1, d.term, d.name, d.weight, d.chunk_id, $2 from json_to_recordset($3) as d (term text, name text, weight real, chunk_id bigint)`,
      [project, row?.id, JSON.stringify(definitions)],
    )
  }

  return {
    async files() {
      const rows = await run<FileRecord>(
        'select path, hash, size, mtime_ms as "mtimeMs" from search_files where project = $1',
        [project],
      )
      return new Map(rows.map((file) => [file.path, file]))
    },
    putFiles: (files) =>
      write(async (on) => {
        await remove(
          on,
          files.map((file) => file.path),
        )
        for (const file of files) await put(on, file)
      }),
    touchFiles: (files) =>
      write(async (on) => {
        for (const file of files)
          await on(
            'update search_files set mtime_ms = $3, size = $4 where project = $1 and path = $2',
            [project, file.path, file.mtimeMs, file.size],
          )
      }),
    removeFiles: (paths) => write((on) => remove(on, paths)),
    filesAfter: (id, limit) =>
      run<StoredFile>(
        `select f.id, f.path, f.mtime_ms as "mtimeMs", coalesce(c.first, 0) as "firstChunkId", coalesce(c.last, -1) as "lastChunkId"
         from (select * from search_files where project = $1 and id > $2 order by id limit $3) f
         left join lateral (select min(id) as first, max(id) as last from search_chunks where file_id = f.id) c on true order by f.id`,
        [project, id, limit],
      ),
    findChunks: (terms, limit) => findByTerms(connection, CHUNKS, terms, limit),
    findDefinitions: (terms, limit) =>
      run<DefinitionHit>(
        `select term, name, weight, chunk_id as "chunkId", file_id as "fileId" from search_definitions
         where project = $1 and term = any($2) order by weight desc, chunk_id limit $3`,
        [project, terms, limit],
      ),
    async chunks(ids) {
      const rows = await run<ChunkRow>(
        'select id, file_id as "fileId", line, end_line as "endLine", kind, symbols, scope, content from search_chunks where id = any($1)',
        [ids],
      )
      return rows.map(chunkOf)
    },
    frequencies: (terms) => documentCounts(connection, CHUNKS, terms),
  }
}

/** PostgreSQL keeps no NUL in text. */
export function clean(text: string): string {
  return text.replaceAll('\u0000', '')
}

export function wordCount(terms: string): number {
  return terms === '' ? 0 : terms.split(' ').length
}
