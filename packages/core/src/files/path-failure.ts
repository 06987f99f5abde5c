import { Failure } from '../failure.ts'

/** The contract's words for what can be wrong with a path; each carries the path and nothing of the file. */
const KINDS = {
  'File not found': 'not_found',
  'Permission denied': 'permission_denied',
  'Absolute paths not allowed': 'absolute_path',
  'Path traversal not allowed': 'path_traversal',
  'File too large': 'too_large',
  'Not a text file': 'not_text',
  'Failed to parse imports': 'parse_error',
  'Line out of range': 'out_of_range',
} as const

export function pathFailure(error: keyof typeof KINDS, path: string, details?: string): Failure {
  return new Failure(KINDS[error], error, {
    data: { path: path.slice(0, 500), ...(details ? { details } : {}) },
  })
}

/** The operating system's codes in our words; what is not foreseen goes on to the boundary. */
export function translateFileError(error: unknown, path: string): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(ENOENT|ENOTDIR|ENAMETOOLONG|ELOOP|EINVAL|ENXIO|ENODEV)$/.test(code))
    return pathFailure('File not found', path)
  if (/^(EACCES|EPERM|EROFS|EBUSY)$/.test(code)) return pathFailure('Permission denied', path)
  return error instanceof Error ? error : new Error(String(error))
}

/** Our words where the system had no room for what was to be written; anything else passes through as it is. */
export function fullDiskFailure(error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException | null)?.code)
  if (!/^(ENOSPC|EDQUOT)$/.test(code)) return error
  return new Failure('storage_full', 'The disk is full; nothing was saved', { cause: error })
}
