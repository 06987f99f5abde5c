import { Failure } from '@secretary-mcp/core/failure.ts'

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
])
const FULL = new Set(['53100', '53200'])
const REFUSED = new Set(['28P01', '28000', '3D000'])
/** Connection exceptions, shutdowns and too many connections. */
const DOWN = /^(08|57P|53300)/

export function postgresFailure(error: unknown): Error {
  if (error instanceof Failure) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const text = error instanceof Error ? error.message : ''
  const fail = (kind: string, message: string) =>
    new Failure(kind, message, {
      instruction: 'Tell the person; do not try to repair the database.',
      cause: error,
    })
  if (FULL.has(code)) return fail('storage_full', 'The database is full; nothing was saved')
  if (REFUSED.has(code))
    return fail(
      'storage_unavailable',
      'The database refused the connection; check SECRETARY_DATABASE_URL',
    )
  if (code === '25006')
    return fail('storage_readonly', 'The database is read-only; nothing was saved')
  if (code === '57014')
    return fail('storage_busy', 'The database took too long; try again in a moment')
  if (
    NETWORK.has(code) ||
    DOWN.test(code) ||
    /Query read timeout|Client was closed|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended/i.test(
      text,
    )
  ) {
    return fail('storage_unavailable', 'The database cannot be reached; try again in a moment')
  }
  return error instanceof Error ? error : new Error(String(error))
}
