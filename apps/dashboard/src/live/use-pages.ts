import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from './store.ts'
import { type Topic, versions } from './topics.ts'
import { type Underway, underway } from './underway.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  /** What the list lacks so far. */
  readonly note?: string
}

export interface Pages<T> {
  readonly total: number | undefined
  readonly error: Error | undefined
  readonly note: string | undefined
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
    note: undefined as string | undefined,
  })
  const wanted = useRef<readonly [number, number]>([0, 0])
  const asked = useRef(new Map<number, Underway>())
  const timer = useRef<number>()
  const loader = useRef(load)
  loader.current = load
  if (held.current.key !== key)
    held.current = { key, pages: new Map(), total: undefined, error: undefined, note: undefined }

  const fetchPage = useCallback(
    (page: number) => {
      const running = underway(asked.current.get(page))
      if (!running) return
      asked.current.set(page, running)
      const mine = held.current
      const take = (answer: Partial<typeof mine>) => {
        if (running.stop.signal.aborted || mine !== held.current) return
        asked.current.delete(page)
        Object.assign(mine, answer)
        redraw((before) => before + 1)
        if (running.isStale) fetchPage(page)
      }
      loader.current(page * pageSize, pageSize, running.stop.signal).then(
        ({ items, total, note }) => {
          if (!running.stop.signal.aborted) mine.pages.set(page, items)
          take({ total, note, error: undefined })
        },
        (error: Error) => take({ error }),
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

  useEffect(
    () => () => {
      for (const { stop } of asked.current.values()) stop.abort()
      asked.current.clear()
    },
    [key],
  )

  useEffect(() => {
    const [first, last] = wanted.current
    const from = Math.floor(first / pageSize)
    const to = Math.floor(last / pageSize)
    for (const page of held.current.pages.keys())
      if (page < from || page > to) held.current.pages.delete(page)
    for (let page = from; page <= to; page++) fetchPage(page)
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

  const reload = useCallback(() => setTurn((before) => before + 1), [])
  const { pages, total, error, note } = held.current
  return {
    total,
    error,
    note,
    item: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    need,
    reload,
  }
}
