import { Failure } from '../failure.ts'

/** Our words where the system had no room for what was to be written; anything else passes through as it is. */
export function fullDiskFailure(error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException | null)?.code)
  if (!/^(ENOSPC|EDQUOT)$/.test(code)) return error
  return new Failure('storage_full', 'The disk is full; nothing was saved', { cause: error })
}
