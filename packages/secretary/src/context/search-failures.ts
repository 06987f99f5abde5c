import { Failure } from '@secretary-mcp/core/failure.ts'

export const GREP_FALLBACK = 'Use grep_codebase for text search'

/** The contract's words for each way in which a search can have no answer. */
export function nothingIndexed(): Failure {
  return new Failure(
    'not_indexed',
    'No embeddings found. Run initial session to generate context.',
    {
      data: { fallback: GREP_FALLBACK },
    },
  )
}

export function notReady(): Failure {
  return new Failure('not_ready', 'No embeddings available', {
    data: { suggestion: GREP_FALLBACK, action: 'Embeddings will be generated in background' },
  })
}

export function searchFailed(cause: unknown): Failure {
  const message = reasonOf(cause)
  return new Failure('search_failed', 'Search failed', {
    cause,
    data: { message, fallback: 'Try using grep_codebase for text search' },
  })
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Failure ? cause.message : 'The index could not be built; see the log'
}

/** What was found by words alone comes along. */
export function embeddingFailed(details: string, results: readonly unknown[]): Failure {
  return new Failure('embedding_failed', 'Failed to generate query embedding', {
    data: { details, fallback: GREP_FALLBACK, ...(results.length > 0 ? { results } : {}) },
  })
}
