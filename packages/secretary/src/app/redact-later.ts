import type { Log } from '@secretary-mcp/core/log.ts'
import type { Database } from '../storage/database.ts'

/** A start and the first calls come before it. */
const QUIET_MS = 10_000

/** Looks through what is stored for secrets, once a server has settled. */
export function redactLater(database: Database, log: Log, signal: AbortSignal): void {
  const begin = async () => {
    const { redactStored } = await import('./redact-stored.ts')
    await redactStored(database, signal)
  }
  const timer = setTimeout(() => {
    begin().catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, 'stored rows could not be searched for secrets')
    })
  }, QUIET_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}
