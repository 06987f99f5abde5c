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
  /** Binary, generated, minified or unreadable. */
  readonly filesSkipped: number
  readonly chunks: number
  readonly seconds: number
  readonly warnings: readonly string[]
}
