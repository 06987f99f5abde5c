import { useEffect, useState } from 'preact/hooks'
import { whenPersonLeaves } from '../../live/person.ts'
import { go, pathTo } from '../../live/router.ts'
import { addressOf, type Found, GROUP_NAMES, useFind } from '../../parts/find/found.ts'
import { pages } from '../pages.ts'
import { chooseTheme } from '../theme.ts'

export interface Entry {
  readonly key: string
  readonly found: Found
  readonly path: string
  readonly run?: () => void
}

export interface EntryGroup {
  readonly name: string
  readonly entries: readonly Entry[]
}

const RECENT = 'secretary.recent'
const MAX_RECENT = 8
const IN_A_GROUP = 6
const PAUSE_MS = 160

/** What the search shows: what was found, or, before anything is typed, what was opened last. */
export function useEntries(typed: string) {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { value, loading, error, reload } = useFind(settled, IN_A_GROUP)
  const isSettled = settled.trim() === typed.trim()
  const found = (typed.trim() === '' ? [] : (value?.groups ?? [])).map(({ kind, found }) => ({
    name: GROUP_NAMES[kind],
    entries: found.map((one, place) => ({
      key: `${kind} ${place}`,
      found: one,
      path: addressOf(one),
    })),
  }))
  const places = matching(typed)
  const recent = typed.trim() === '' ? readRecent() : []
  return {
    words: value?.words ?? '',
    isSearching: typed.trim() !== '' && (loading || !isSettled),
    error,
    note: typed.trim() === '' ? undefined : value?.note,
    reload,
    groups: [
      { name: 'Opened lately', entries: recent },
      ...found,
      { name: 'Pages and actions', entries: places },
    ].filter(({ entries }) => entries.length > 0),
  }
}

export function rememberEntry({ found, path, run }: Entry): void {
  if (run) return
  const { title, note, at } = found
  const others = readRecent().filter((entry) => entry.path !== path)
  const kept = [
    { title, note, at, path },
    ...others.map(({ found: { title, note, at }, path }) => ({ title, note, at, path })),
  ]
  localStorage.setItem(RECENT, JSON.stringify(kept.slice(0, MAX_RECENT)))
}

whenPersonLeaves(() => localStorage.removeItem(RECENT))

function readRecent(): Entry[] {
  try {
    const kept = JSON.parse(localStorage.getItem(RECENT) ?? '[]') as (Found & { path: string })[]
    return kept.map(({ path, ...found }) => ({
      key: `recent ${path}`,
      found: { ...found, why: 'you opened it lately' },
      path,
    }))
  } catch {
    return []
  }
}

const ACTIONS: readonly (readonly [title: string, run: () => void])[] = [
  ['New task', () => go(pathTo(['tasks'], { new: 1 }))],
  ['New conversation', () => go(pathTo(['chat']))],
  ['Light theme', () => chooseTheme('light')],
  ['Dark theme', () => chooseTheme('dark')],
  ['System theme', () => chooseTheme('system')],
]

function matching(typed: string): Entry[] {
  const wanted = typed.trim().toLowerCase()
  const all: Entry[] = [
    ...pages
      .filter(({ key }) => key !== '')
      .map(({ path, name }) => entry(`Go to ${name}`, pathTo(path ? [path] : []))),
    ...ACTIONS.map(([title, run]) => entry(title, '', run)),
  ]
  return all.filter(({ found }) => found.title.toLowerCase().includes(wanted))
}

function entry(title: string, path: string, run?: () => void): Entry {
  return { key: title, path, run, found: { title, why: 'its name matches' } }
}
