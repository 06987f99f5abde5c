import { Failure, type FailureKind } from '../failure.ts'
import { fullDiskFailure } from '../files/path-failure.ts'

interface Kind {
  readonly codes: readonly number[]
  /** SQLite's own text, for drivers that do not pass the code on. */
  readonly text: RegExp
  readonly errorType: FailureKind
  readonly message: string
}

const KINDS: readonly Kind[] = [
  {
    codes: [5, 6],
    text: /database (table )?is locked/,
    errorType: 'storage_busy',
    message: 'The database is busy; try again in a moment',
  },
  {
    codes: [8],
    text: /readonly database/,
    errorType: 'storage_readonly',
    message: 'The database cannot be written; check the permissions of its folder',
  },
  {
    codes: [13],
    text: /database or disk is full/,
    errorType: 'storage_full',
    message: 'The disk is full; nothing was saved',
  },
  {
    codes: [11, 26],
    text: /disk image is malformed|file is not a database/,
    errorType: 'storage_corrupt',
    message: 'The database file is damaged; run `secretary doctor` to see how to fix it',
  },
  {
    codes: [10, 14],
    text: /disk I\/O error|unable to open database/,
    errorType: 'storage_unavailable',
    message: 'The database could not be opened or read; check its folder and the disk',
  },
]

/** Our words for what SQLite threw; anything else passes through as it is. */
export function sqliteFailure(thrown: unknown, path: string): Error {
  const error = fullDiskFailure(thrown)
  if (error instanceof Failure) return error
  const code = resultCode(error) & 0xff
  const known = KINDS.find(({ codes, text }) => codes.includes(code) || text.test(String(error)))
  if (known)
    return new Failure(known.errorType, known.message, {
      instruction: 'Tell the person; do not try to repair the database.',
      cause: error,
    })
  if (/EACCES|EPERM|EROFS|ENOTDIR|EEXIST/.test(String((error as NodeJS.ErrnoException)?.code))) {
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
  return (error as { errcode?: number }).errcode ?? 0
}
