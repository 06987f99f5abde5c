import { Failure } from '@secretary-mcp/core/failure.ts'

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
