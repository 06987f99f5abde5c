import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { connected } from './events.ts'
import { whenPersonLeaves } from './person.ts'
import { useStore } from './store.ts'
import { type Topic, versions } from './topics.ts'

export interface Query<T> {
  readonly value: T | undefined
  readonly error: Error | undefined
  readonly loading: boolean
  reload(): void
}

/** What was seen last is shown at once; the server is asked again behind it. */
const seen = new Map<string, unknown>()
const MOST_SEEN = 60

/**
 * Loads under a key, again whenever the topic moves and, where a limit was reached, when it is over; without a key it waits, without
 * a topic only another key loads again.
 */
export function useQuery<T>(
  key: string | undefined,
  topic: Topic | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Query<T> {
  const all = useStore(versions)
  const isConnected = useStore(connected)
  // All topics move when the server is back; what has none is asked for again by that alone.
  const version = topic ? all[topic] : isConnected
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{ key?: string; error?: Error; loading: boolean }>({
    loading: key !== undefined,
  })
  const latest = useRef(load)
  latest.current = load

  useEffect(() => {
    if (key === undefined || version === false) return
    const stop = new AbortController()
    let later: number | undefined
    setState({ key, loading: true })
    latest.current(stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return
        remember(key, value)
        setState({ key, loading: false })
      },
      (error: Error) => {
        if (stop.signal.aborted) return
        setState({ key, error, loading: false })
        const waitMs = error instanceof ApiError ? error.retryAfterMs : undefined
        if (waitMs !== undefined)
          later = window.setTimeout(() => setTurn((before) => before + 1), waitMs)
      },
    )
    return () => {
      stop.abort()
      clearTimeout(later)
    }
  }, [key, version, turn])

  const reload = useCallback(() => setTurn((before) => before + 1), [])
  const value = key === undefined ? undefined : (seen.get(key) as T | undefined)
  const current = state.key === key
  return {
    value,
    error: current ? state.error : undefined,
    loading: key !== undefined && (!current || state.loading),
    reload,
  }
}

function remember(key: string, value: unknown): void {
  seen.delete(key)
  seen.set(key, value)
  const [oldest] = seen.keys()
  if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest)
}

whenPersonLeaves(() => seen.clear())
