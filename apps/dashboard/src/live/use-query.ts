import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { connected } from './events.ts'
import { whenPersonLeaves } from './person.ts'
import { useStore } from './store.ts'
import { type Topic, versions } from './topics.ts'
import { type Underway, underway } from './underway.ts'

export interface Query<T> {
  readonly value: T | undefined
  readonly error: Error | undefined
  readonly loading: boolean
  reload(): void
}

/** What was seen last is shown at once; the server is asked again behind it. */
const seen = new Map<string, unknown>()
const MAX_SEEN = 60

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
  const running = useRef<Underway>()
  const later = useRef<number>()
  const reload = useCallback(() => setTurn((before) => before + 1), [])

  useEffect(
    () => () => {
      running.current?.stop.abort()
      running.current = undefined
      clearTimeout(later.current)
    },
    [key],
  )

  useEffect(() => {
    if (key === undefined || version === false) return
    clearTimeout(later.current)
    const mine = underway(running.current)
    if (!mine) return
    running.current = mine
    setState({ key, loading: true })
    const end = (error?: Error) => {
      if (mine.stop.signal.aborted) return
      running.current = undefined
      setState({ key, error, loading: false })
      const waitMs = error instanceof ApiError ? error.retryAfterMs : undefined
      if (waitMs !== undefined) later.current = window.setTimeout(reload, waitMs)
      else if (mine.isStale) reload()
    }
    latest.current(mine.stop.signal).then((value) => {
      if (!mine.stop.signal.aborted) remember(key, value)
      end()
    }, end)
  }, [key, version, turn, reload])

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
  if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest)
}

whenPersonLeaves(() => seen.clear())
