import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Result } from '@secretary-mcp/core/result.ts'

export function answered<T>({ value, error, errorType }: Result<T>): T {
  if (value !== undefined && value !== null) return value
  throw new Failure(errorType ?? 'not_found', error ?? 'Not found')
}
