import type { Chunk } from '../indexer/chunk.ts'

/** What the search engine keeps and asks of storage: one store for each project. Derived data only: it may be rebuilt at any time. */
export interface IndexStore extends FileIndex, NoteIndex, VectorIndex, IndexLock {
  counts(): Promise<IndexCounts>
  close(): Promise<void>
}

export interface IndexCounts {
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

/** A chunk with the terms under which it is found; the terms are made by `indexTerms`, so that engines need no stemming. */
export interface IndexedChunk extends Chunk {
  readonly bodyTerms: string
  readonly symbolTerms: string
  readonly vector: Int8Array
}

export interface IndexedFile extends FileRecord {
  readonly language: string
  readonly pathTerms: string
  /** Every term of the file once for each time it occurs, for the file as a whole. */
  readonly chunks: readonly IndexedChunk[]
}

export interface StoredChunk extends Chunk {
  readonly id: number
  readonly path: string
  readonly mtimeMs: number
}

export interface Hit {
  readonly id: number
  /** Larger is better. */
  readonly score: number
}

export interface FileHit {
  readonly path: string
  readonly score: number
}

export interface FileIndex {
  files(): Promise<ReadonlyMap<string, FileRecord>>
  /** One transaction: afterwards each file has exactly these chunks. */
  putFiles(files: readonly IndexedFile[], modelId: string): Promise<void>
  /** Same content, new time stamp. */
  touchFiles(files: readonly FileRecord[]): Promise<void>
  removeFiles(paths: readonly string[]): Promise<void>
  findChunks(terms: readonly string[], limit: number): Promise<Hit[]>
  findFiles(terms: readonly string[], limit: number): Promise<FileHit[]>
  chunks(ids: readonly number[]): Promise<StoredChunk[]>
}

export interface StoredVector {
  readonly id: number
  readonly vector: Int8Array
}

export interface VectorIndex {
  /** Grows with every change of chunks or vectors, whichever process made it. */
  revision(): Promise<number>
  /** Vectors of a model, of chunks or notes, with an id above the given one, in order of id. */
  vectorsAfter(modelId: string, id: number, limit: number): Promise<StoredVector[]>
}
