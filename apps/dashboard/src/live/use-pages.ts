import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from './store.ts'
import { type Topic, versions } from './topics.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

export interface Pages<T> {
  readonly total: number | undefined
  readonly error: Error | undefined
  item(index: number): T | undefined
  /** Says which rows are on screen; what is missing of them is loaded. */
  need(first: number, last: number): void
  reload(): void
}

const SETTLE_MS = 60

/**
 * A long list that is never held whole: pages are loaded as they scroll into view, a fast scroll past a page costs
 * no request, and when the topic moves only what is on screen is asked for again.
 */
export function usePages<T>(
  key: string,
  topic: Topic,
  pageSize: number,
  load: (offset: number, limit: number, signal: AbortSignal) => Promise<Page<T>>,
): Pages<T> {
  const version = useStore(versions)[topic]
  const [, redraw] = useState(0)
  const [turn, setTurn] = useState(0)
  const held = useRef({
    key: '',
    pages: new Map<number, readonly T[]>(),
    total: undefined as number | undefined,
    error: undefined as Error | undefined,
  })
  const wanted = useRef<readonly [number, number]>([0, 0])
  const asked = useRef(new Map<number, AbortController>())
  const timer = useRef<number>()
  const loader = useRef(load)
  loader.current = load
  if (held.current.key !== key)
    held.current = { key, pages: new Map(), total: undefined, error: undefined }

  const fetchPage = useCallback(
    (page: number) => {
      asked.current.get(page)?.abort()
      const stop = new AbortController()
      asked.current.set(page, stop)
      const mine = held.current
      loader.current(page * pageSize, pageSize, stop.signal).then(
        ({ items, total }) => {
          if (stop.signal.aborted || mine !== held.current) return
          asked.current.delete(page)
          mine.pages.set(page, items)
          mine.total = total
          mine.error = undefined
          redraw((before) => before + 1)
        },
        (error: Error) => {
          if (stop.signal.aborted || mine !== held.current) return
          asked.current.delete(page)
          mine.error = error
          redraw((before) => before + 1)
        },
      )
    },
    [pageSize],
  )

  const fetchMissing = useCallback(() => {
    const [first, last] = wanted.current
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) {
      if (!held.current.pages.has(page) && !asked.current.has(page)) fetchPage(page)
    }
  }, [fetchPage, pageSize])

  useEffect(() => {
    const [first, last] = wanted.current
    const from = Math.floor(first / pageSize)
    const to = Math.floor(last / pageSize)
    for (const page of held.current.pages.keys())
      if (page < from || page > to) held.current.pages.delete(page)
    for (let page = from; page <= to; page++) fetchPage(page)
    return () => {
      for (const stop of asked.current.values()) stop.abort()
      asked.current.clear()
    }
  }, [key, version, turn, fetchPage, pageSize])

  useEffect(() => () => clearTimeout(timer.current), [])

  const need = useCallback(
    (first: number, last: number) => {
      wanted.current = [Math.max(0, first), Math.max(0, last)]
      clearTimeout(timer.current)
      timer.current = window.setTimeout(fetchMissing, SETTLE_MS)
    },
    [fetchMissing],
  )

  const { pages, total, error } = held.current
  return {
    total,
    error,
    item: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    need,
    reload: () => setTurn((before) => before + 1),
  }
}
