import { isImportsOnly } from '../chunks/imports-only.ts'
import type { ChunkHit, DefinitionHit, IndexStore, StoredChunk } from '../index-store.ts'
import type { Nearness } from '../vectors/chunk-vectors.ts'
import { bestWeights } from './file-evidence.ts'
import type { Footing } from './floor.ts'
import type { Query } from './query.ts'
import type { RankedFile } from './rank-files.ts'

export interface CodeHit {
  readonly path: string
  readonly mtimeMs: number
  readonly chunk: StoredChunk
  readonly score: number
  readonly factors: Readonly<Record<string, number>>
  readonly footing: Footing
}

/** Files whose chunks are looked at one by one. */
export const OPENED_FILES = 30
/** Of huge files no more chunks than these are compared by meaning. */
const MOST_OPENED = 3_000
export const CHUNKS_OF_A_FILE = 3
/** What a file's second chunk keeps of the file's score, and the third of the second's: one file must not fill the page. */
const NEXT_CHUNK_SHARE = 0.45
/** Where more of each file is wanted. */
const WIDE_CHUNK_SHARE = 0.85
/** Imports name what a question asks for as often as the code that does it, and say nothing about it. */
const IMPORTS_SHARE = 0.1
/** Within a file: words, meaning, whether the name asked for is defined here, and whether what was pasted stands here. */
export const CHUNK_WEIGHTS = { words: 1, meaning: 1, definition: 1, pasted: 1 } as const

interface Passages {
  readonly chunkHits: readonly ChunkHit[]
  readonly definitions: readonly DefinitionHit[]
  readonly near: Nearness | undefined
  /** How much of what was pasted stands there. */
  readonly pasted: ReadonlyMap<number, number>
  readonly passagesOfFile: number
}

/** The passages that stand for each file, those of the best files first. */
export async function choosePassages(
  query: Query,
  files: readonly RankedFile[],
  { chunkHits, definitions, near, pasted, passagesOfFile }: Passages,
  store: IndexStore,
): Promise<CodeHit[]> {
  const words = new Map(chunkHits.map(({ id, score }) => [id, score / (chunkHits[0]?.score || 1)]))
  const defined = bestWeights(query, definitions, ({ chunkId }) => chunkId)

  const cosines = await near?.cosines(
    files.flatMap(({ file }) => idsOf(file)).slice(0, MOST_OPENED),
  )
  const nextShare = passagesOfFile > CHUNKS_OF_A_FILE ? WIDE_CHUNK_SHARE : NEXT_CHUNK_SHARE
  const chosen: { ranked: RankedFile; id: number; score: number; relevance: number }[] = []
  const imports = await importsAmong(files, store)
  const hasWordsInImports = ({ firstChunkId: first }: RankedFile['file']) =>
    imports.has(first) && words.has(first)
  for (const ranked of files) {
    const scored = idsOf(ranked.file).map((id) => ({
      id,
      relevance:
        (CHUNK_WEIGHTS.words * (words.get(id) ?? 0) +
          CHUNK_WEIGHTS.meaning * Math.max(cosines?.get(id) ?? 0, 0) +
          CHUNK_WEIGHTS.definition * (defined.get(id) ?? 0) +
          CHUNK_WEIGHTS.pasted * (pasted.get(id) ?? 0)) *
        (imports.has(id) ? IMPORTS_SHARE : 1),
    }))
    scored.sort((a, b) => b.relevance - a.relevance)
    const best = scored[0]?.relevance || 1
    scored.slice(0, passagesOfFile).forEach(({ id, relevance }, nth) => {
      chosen.push({
        ranked,
        id,
        relevance,
        score: ranked.score * nextShare ** nth * (nth === 0 ? 1 : relevance / best),
      })
    })
  }
  chosen.sort((a, b) => b.score - a.score)
  const top = chosen.slice(0, (OPENED_FILES * passagesOfFile) / CHUNKS_OF_A_FILE)
  const chunks = new Map(
    (await store.chunks(top.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]),
  )
  return top.flatMap(({ ranked, id, score, relevance }) => {
    const chunk = chunks.get(id)
    // Gone since memory was filled: another process is indexing.
    if (!chunk) return []
    return [
      {
        path: ranked.file.path,
        mtimeMs: ranked.file.mtimeMs,
        chunk,
        score,
        factors: { ...ranked.factors, passage: relevance },
        footing: {
          hasWords:
            words.has(id) || defined.has(id) || isNamed(ranked) || hasWordsInImports(ranked.file),
          nearness: cosines && (cosines.get(id) ?? 0),
        },
      },
    ]
  })
}

/** First passages that only name what other files define; of a file that has nothing else, it is what there is to show. */
async function importsAmong(
  files: readonly RankedFile[],
  store: IndexStore,
): Promise<ReadonlySet<number>> {
  const first = files
    .filter(({ file }) => file.lastChunkId > file.firstChunkId)
    .map(({ file }) => file.firstChunkId)
  const chunks = await store.chunks(first)
  return new Set(chunks.filter(({ content }) => isImportsOnly(content)).map(({ id }) => id))
}

function idsOf({ firstChunkId, lastChunkId }: RankedFile['file']): number[] {
  return Array.from({ length: lastChunkId - firstChunkId + 1 }, (_, nth) => firstChunkId + nth)
}

/** The file's name or path answers the query in words. */
function isNamed({ factors }: RankedFile): boolean {
  return ['name', 'path', 'definition', 'compound'].some((name) => (factors[name] ?? 0) > 0)
}
