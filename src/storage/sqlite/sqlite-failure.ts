import { Failure } from '../../core/failure.ts'

const BY_CODE: Readonly<Record<number, readonly [string, string]>> = {
  5: ['storage_busy', 'The database is busy; try again in a moment'],
  6: ['storage_busy', 'The database is busy; try again in a moment'],
  8: ['storage_readonly', 'The database cannot be written; check the permissions of its folder'],
  10: ['storage_unavailable', 'The database could not be read or written; check the disk'],
  11: ['storage_corrupt', 'The database file is damaged; `secretary doctor` says how to mend it'],
  13: ['storage_full', 'The disk is full; nothing was saved'],
  14: ['storage_unavailable', 'The database could not be opened; check that its folder exists and can be written'],
  26: ['storage_corrupt', 'The database file is damaged; `secretary doctor` says how to mend it'],
}

/** Our words for what SQLite threw; anything else passes through as it is. */
export function sqliteFailure(error: unknown, path: string): Error {
  if (error instanceof Failure) return error
  const known = BY_CODE[resultCode(error) & 0xff]
  if (known)
    return new Failure(known[0], known[1], { instruction: 'Tell the person; do not try to repair the database.', cause: error })
  if (/EACCES|EPERM|EROFS|ENOSPC|ENOTDIR|EEXIST/.test(String((error as NodeJS.ErrnoException)?.code))) {
    return new Failure(
      'storage_unavailable',
      'The database could not be opened; check that its folder exists and can be written',
      {
        cause: new Error(`${path}: ${String(error)}`),
      },
    )
  }
  return error instanceof Error ? error : new Error(String(error))
}

function resultCode(error: unknown): number {
  if (error === null || typeof error !== 'object') return 0
  const { errcode, sqliteCode, sqliteExtendedCode } = error as {
    errcode?: number
    sqliteCode?: number
    sqliteExtendedCode?: number
  }
  return errcode ?? sqliteCode ?? sqliteExtendedCode ?? 0
}
