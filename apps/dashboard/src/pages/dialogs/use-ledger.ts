import { useRef } from 'preact/hooks'
import { useQuery } from '../../live/use-query.ts'
import { type LedgerEntry, readLedger } from './dialog-data.ts'

/** Null where it could not be loaded, undefined while it is loading. */
export type DeedsOfRequests = (index: number) => LedgerEntry | null | undefined

/** What happened to a page of requests, asked for once the words are there: without a revision it waits. */
export function useLedger(
  session: string,
  revision: string | undefined,
  offset: number,
  limit: number,
): { readonly deedsOf: DeedsOfRequests; readonly note: string | undefined; reload(): void } {
  const { value, error, reload } = useQuery(
    revision === undefined ? undefined : `ledger ${session} ${offset} ${revision}`,
    undefined,
    (signal) => readLedger(session, offset, limit, signal),
  )
  // What was there before stays until the newer ones have come.
  const last = useRef<readonly LedgerEntry[]>([])
  last.current = value?.entries ?? last.current
  const deedsOf = (index: number) =>
    last.current.find((entry) => entry.index === index) ?? (error ? null : undefined)
  return { deedsOf, note: value?.note, reload }
}
