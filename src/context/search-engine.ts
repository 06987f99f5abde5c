import type { IndexState, Note, SearchAnswer, SearchRequest } from './search/search-types.ts'

/** One project's search: code, discoveries and dialogs in one ranked list. */
export interface SearchEngine {
  /** Brings the index up to date; only what changed is redone. Resumes after an interruption. Waits when another process indexes. */
  index(options?: IndexOptions): Promise<IndexSummary>
  /** Keeps the index up to date until closed. */
  watch(options?: { readonly onIndexed?: (summary: IndexSummary) => void }): Promise<{ close(): Promise<void> }>
  /** Answers from what is indexed at this moment, lexically when vectors are not there yet. */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>
  putNotes(notes: readonly Note[], signal?: AbortSignal): Promise<void>
  removeNotes(ids: readonly string[]): Promise<void>
  status(): Promise<IndexStatus>
  close(): Promise<void>
}

export interface IndexOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
}

export interface IndexProgress {
  readonly filesDone: number
  readonly filesTotal: number
  readonly chunks: number
  readonly chunksPerSecond: number
  readonly secondsLeft: number
}

export interface IndexSummary {
  readonly filesIndexed: number
  readonly filesUnchanged: number
  readonly filesRemoved: number
  readonly filesSkipped: number
  readonly chunks: number
  readonly seconds: number
  readonly warnings: readonly string[]
}

export interface IndexStatus {
  readonly state: IndexState
  readonly files: number
  readonly chunks: number
  readonly notes: number
  readonly embedder: string
  /** A share from 0 to 1 of what carries a vector of the current embedder. */
  readonly embedded: number
  /** Of the process that indexes at this moment. */
  readonly indexingPid?: number
}
