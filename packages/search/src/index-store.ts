import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Chunk } from './chunks/chunker.ts'
import type { Note } from './search-types.ts'

/** What the search engine keeps and asks of storage, one store for each project. Derived data only: it may be rebuilt at any time. */
export interface IndexStore extends FileIndex, NoteIndex, VectorIndex, IndexLock {
  counts(): Promise<IndexCounts>
  /** Grows with every change, whichever process made it: what is held in memory is refreshed when it moves. */
  revision(): Promise<number>
  /** A short word kept with the index and lost with it. */
  mark(name: string): Promise<string | undefined>
  /** Without a value the mark goes. */
  setMark(name: string, value: string | undefined): Promise<void>
  /** Lives in this process alone: nobody else can write to it. */
  readonly isPrivate: boolean
  close(): Promise<void>
}

interface IndexCounts {
  readonly files: number
  readonly chunks: number
  readonly notes: number
}

export interface FileRecord {
  readonly path: string
  readonly hash: string
  readonly size: number
  readonly mtimeMs: number
}

/** A chunk with the terms under which it is found. Terms are made by `indexTerms`, so that engines need no stemming of their own. */
export interface IndexedChunk extends Chunk {
  readonly terms: string
  readonly symbolTerms: string
  readonly definitions: readonly DefinedTerm[]
}

export interface DefinedTerm {
  /** The name as one term: `createStore` is `createstore`. */
  readonly term: string
  /** The name as it is written, without what encloses it. */
  readonly name: string
  /** 0..1: a type at the top level counts most, a re-export least. */
  readonly weight: number
}

export interface IndexedFile extends FileRecord {
  readonly language: string
  readonly pathTerms: string
  /** The end of the path without the extension: `session/store`. */
  readonly title: string
  /** The file in a few words, title and symbols, from which its own vector is made. */
  readonly outline: string
  readonly chunks: readonly IndexedChunk[]
}

export interface StoredFile {
  readonly id: number
  readonly path: string
  readonly mtimeMs: number
  /** The chunks of a file have consecutive ids. */
  readonly firstChunkId: number
  readonly lastChunkId: number
}

export interface StoredChunk extends Chunk {
  readonly id: number
  readonly fileId: number
}

/** Larger scores are better. */
export interface ChunkHit {
  readonly id: number
  readonly fileId: number
  readonly score: number
}

export interface DefinitionHit {
  readonly term: string
  readonly name: string
  readonly weight: number
  readonly chunkId: number
  readonly fileId: number
}

export interface Hit {
  readonly id: number
  readonly score: number
}

export interface FileIndex {
  /** Those at the given paths. */
  files(paths: readonly string[]): Promise<ReadonlyMap<string, FileRecord>>
  /** Those with a path that comes after the given one, in order of path. */
  filesBehind(path: string, limit: number): Promise<FileRecord[]>
  /** One transaction: afterwards each of these files has exactly these chunks, under new ids. Ids are never used again. */
  putFiles(files: readonly IndexedFile[]): Promise<void>
  /** Same content, new time stamp. */
  touchFiles(files: readonly FileRecord[]): Promise<void>
  removeFiles(paths: readonly string[]): Promise<void>
  /** Files with an id above the given one, in order of id. */
  filesAfter(id: number, limit: number): Promise<StoredFile[]>
  /** Of all files there are. */
  fileIds(): Promise<number[]>
  /**
   * The chunks with any of the terms, best first. Each term comes with its frequency: where they are
   * in very many chunks, only those with one of the rarer terms are looked at, unless the common ones
   * have been scored ahead; then chunks that are gone may be among what is found.
   */
  findChunks(terms: ReadonlyMap<string, number>, limit: number): Promise<Hit[]>
  /** Ids of chunks with the term, in order of id. */
  chunksWith(term: string, limit: number): Promise<number[]>
  findDefinitions(terms: readonly string[], limit: number): Promise<DefinitionHit[]>
  chunks(ids: readonly number[]): Promise<StoredChunk[]>
  /** In how many chunks each term occurs; for common terms of a large project, how it was when they were last counted. */
  frequencies(terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  countCommonTerms(): Promise<void>
  /** Works out ahead what each common term adds to a chunk's score; resumes after an interruption, and does little where little changed. */
  scoreCommonTerms(signal?: AbortSignal): Promise<void>
}

export interface IndexedNote extends Note {
  readonly terms: string
  readonly neighbourTerms: string
}

export interface StoredNote extends Note {
  readonly key: number
}

export interface NoteIndex {
  putNotes(notes: readonly IndexedNote[]): Promise<void>
  removeNotes(scope: string, ids: readonly string[]): Promise<void>
  noteIdsUnder(scope: string, prefix: string): Promise<string[]>
  findNotes(terms: readonly string[], scopes: readonly string[], limit: number): Promise<Hit[]>
  notes(keys: readonly number[]): Promise<StoredNote[]>
}

/** What a vector stands for. */
export type VectorOwner = 'chunk' | 'file' | 'note'

interface StoredVector {
  readonly id: number
  /** Of a note. */
  readonly scope?: string
  readonly vector: Int8Array
}

/** One bit for each cell of a vector; chunks that are gone since may still be in it. */
export interface SignBlock {
  readonly ids: Float64Array
  readonly signs: Uint8Array
}

export interface VectorIndex {
  /** Vectors of a model with an id above the given one, in order of id. */
  vectorsAfter(
    modelId: string,
    owner: VectorOwner,
    id: number,
    limit: number,
  ): Promise<StoredVector[]>
  vectorsOf(modelId: string, owner: VectorOwner, ids: readonly number[]): Promise<StoredVector[]>
  /** The signs of chunks' vectors, many in one piece: blocks that end above the given id, in order of id. */
  signBlocksAfter(modelId: string, id: number, limit: number): Promise<SignBlock[]>
  putSignBlock(modelId: string, block: SignBlock): Promise<void>
  dropSignBlocks(modelId: string): Promise<void>
  /** The texts above the given id that have no vector of this model yet, in order of id. */
  withoutVector(
    modelId: string,
    owner: VectorOwner,
    id: number,
    limit: number,
  ): Promise<{ readonly id: number; readonly text: string }[]>
  /** The largest id that has a vector of this model; 0 when none has. */
  lastVectorId(modelId: string, owner: VectorOwner): Promise<number>
  putVectors(modelId: string, owner: VectorOwner, vectors: readonly StoredVector[]): Promise<void>
  /** How many vectors each model has. */
  vectorCounts(): Promise<ReadonlyMap<string, number>>
  dropModel(modelId: string): Promise<void>
}

export interface IndexLock {
  /** The pid of whoever holds the lock now; our own when we got it. A holder without a heartbeat for `staleMs` has lost it. */
  acquireLock(pid: number, nowMs: number, staleMs: number): Promise<number>
  releaseLock(pid: number): Promise<void>
  lockHolder(nowMs: number, staleMs: number): Promise<number | undefined>
}

const PAGE = 1_000

/** What the store knows of every file, a page at a time: of a large project all of it would fill much memory. */
export async function* knownFiles(
  store: Pick<IndexStore, 'filesBehind'>,
): AsyncGenerator<FileRecord> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const page = await store.filesBehind(last, PAGE)
    yield* page
    last = page.at(-1)?.path
  }
}

/** Thrown by a store whose file can no longer be read. What it held can be made again. */
export function indexDamaged(cause: unknown): Failure {
  return new Failure(
    'index_damaged',
    'The search index was damaged and is being rebuilt; try again in a moment',
    { cause },
  )
}

export function isDamage(error: unknown): boolean {
  return error instanceof Failure && error.errorType === 'index_damaged'
}
