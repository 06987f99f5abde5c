import { base, below, searchOf } from './base.ts'
import { leaveToEditor } from './editor.ts'
import { keepScroll, rememberScroll, restoreScroll } from './scroll-memory.ts'
import { createStore, useStore } from './store.ts'

export interface Place {
  /** Decoded parts of the path. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  /** With its #; empty without one. */
  readonly hash: string
}

const place = createStore<Place>(read())

window.addEventListener('popstate', () => {
  place.set(read())
  restoreScroll()
})
rememberScroll()

export function usePlace(): Place {
  return useStore(place)
}

export function go(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (path === location.pathname + location.search + location.hash) return
  const isSamePlace = path.split('#')[0] === location.pathname + location.search
  if (!replace) keepScroll()
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  place.set(read())
  if (!replace && !isSamePlace) window.scrollTo(0, 0)
}

/** Plain clicks on our own links stay in the page; everything else is the browser's. */
export function followClick(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a')
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return
  if (
    link.origin !== location.origin ||
    link.target ||
    link.hasAttribute('download') ||
    !isOurs(link.pathname)
  ) {
    leaveToEditor(event, link)
    return
  }
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
}

/** Another program may live beside us on the same host, and the API is no place of the page. */
function isOurs(path: string): boolean {
  return path.startsWith(base) && !path.startsWith(below('/api/'))
}

/** A path out of parts and a query; parts are encoded, empty values left out. */
export function pathTo(
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return below(parts.map((part) => encodeURIComponent(part)).join('/')) + searchOf(query)
}

function read(): Place {
  const parts = location.pathname.slice(base.length).split('/').filter(Boolean).map(decoded)
  return { parts, query: new URLSearchParams(location.search), hash: location.hash }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
