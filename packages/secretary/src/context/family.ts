import { Failure } from '@secretary-mcp/core/failure.ts'
import { Family } from '@secretary-mcp/core/family.ts'
import type { Issue, Result } from '@secretary-mcp/core/result.ts'
import type { Shape, Tool } from '@secretary-mcp/core/tool.ts'
import type { Context } from './context.ts'

const GREP_FALLBACK = 'Use grep_codebase for text search'

/** A success is the value itself, a failure `{error, …}`. Clients rely on both. */
export const contextFamily = new Family<Context>({
  name: 'context',
  prefix: '',
  envelope: (result, tool) =>
    result.success
      ? { body: result.value as Shape['body'], isError: false }
      : { body: withoutUndefined(failureBody(result, tool)), isError: true },
  outputSchema: (value) => value,
})

function failureBody(result: Result, { name }: Tool): Record<string, unknown> {
  const { error = '', errorType, data, message, instruction, issues = [] } = result
  switch (errorType) {
    case 'validation_error':
      return {
        error: isShortQuery(issues, name)
          ? 'Query must be at least 3 characters'
          : 'Invalid parameters',
        details: issues,
      }
    case 'rate_limited':
      return { error, message, ...data }
    case 'unexpected_error':
      return name === 'context_search'
        ? { error: 'Search failed', message: error, fallback: GREP_FALLBACK }
        : { error, tool: name, message: instruction }
    default:
      return { error, ...(data ?? { tool: name, message: instruction }) }
  }
}

function isShortQuery(issues: readonly Issue[], tool: string): boolean {
  return (
    tool === 'context_search' &&
    issues.some(({ path, code }) => path === 'query' && code === 'too_small')
  )
}

function withoutUndefined(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

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
