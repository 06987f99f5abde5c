import type { ComponentType } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../live/api.ts'
import { connected, followEvents } from '../live/events.ts'
import { followClick, pathTo, usePlace } from '../live/router.ts'
import { loadSession, session, signOut } from '../live/session.ts'
import { useStore } from '../live/store.ts'
import { bearerToken, forgetToken, onTokenElsewhere, signInNeeded } from '../live/token.ts'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { KeysHelp, useKeys } from './keys.tsx'
import { Navigation } from './navigation.tsx'
import { pages } from './pages.ts'
import { SignIn } from './sign-in.tsx'

const AGAIN_MS = 2_000

export function App() {
  const asksWho = useStore(signInNeeded)
  const known = useStore(session)
  const [problem, setProblem] = useState<Error>()
  const [help, setHelp] = useState(false)
  const showHelp = useCallback(() => setHelp(true), [])
  const start = useCallback(() => {
    setProblem(undefined)
    loadSession().catch((error: Error) => {
      setProblem(error)
      if (!(error instanceof ApiError && error.status === 401 && bearerToken())) return
      // A token that has ended must not stand in the way of a server that wants none any more.
      forgetToken()
      loadSession().catch(setProblem)
    })
  }, [])
  useEffect(() => {
    // A proxy answers for a server that is away.
    if (!(problem instanceof ApiError && (problem.status === 0 || problem.status >= 500))) return
    const timer = setTimeout(start, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [problem, start])
  const [isSearching, setSearching] = useState(false)
  const showSearch = useCallback(() => setSearching(true), [])
  const hideSearch = useCallback(() => setSearching(false), [])
  useKeys(showHelp, showSearch)
  useEffect(() => {
    start()
    document.addEventListener('click', followClick)
    return () => document.removeEventListener('click', followClick)
  }, [start])
  const ready = known !== undefined && !asksWho
  useEffect(() => {
    if (!ready) return
    const stop = new AbortController()
    void followEvents(stop.signal)
    return () => stop.abort()
  }, [ready])

  useEffect(
    () =>
      onTokenElsewhere((isThere) => {
        if (isThere) loadSession().catch(setProblem)
        else signOut()
      }),
    [],
  )
  return (
    <>
      {/* Who signs in again finds everything as it was, also what was being written. */}
      {(known || !asksWho) && (
        <div class="shell" hidden={asksWho}>
          <button
            type="button"
            class="skip"
            onClick={() => document.getElementById('main')?.focus()}
          >
            Skip to content
          </button>
          <Navigation onHelp={showHelp} onSearch={showSearch} />
          <main id="main" tabIndex={-1}>
            {known ? (
              <CurrentPage key={known.user} />
            ) : problem ? (
              <Problem error={problem} retry={start} />
            ) : (
              <Waiting rows={6} />
            )}
          </main>
          <Toasts />
          {isSearching && known && <SearchPalette onClose={hideSearch} />}
          {help && <KeysHelp onClose={() => setHelp(false)} />}
        </div>
      )}
      {asksWho && <SignIn />}
    </>
  )
}

/** Loaded when it is first opened. */
function SearchPalette({ onClose }: { readonly onClose: () => void }) {
  const [part, setPart] = useState<ComponentType<{ onClose: () => void }>>()
  useEffect(() => {
    import('./palette/palette.tsx').then(
      ({ Palette }) => setPart(() => Palette),
      () => onClose(),
    )
  }, [onClose])
  const Part = part
  return Part ? <Part onClose={onClose} /> : null
}

const loaded = new Map<string, ComponentType>()

/** A part that could not be loaded while the server was away may not be asked for twice: browsers remember the failure. */
function useReloadOnReturn(isBroken: boolean): void {
  const isConnected = useStore(connected)
  const wasAway = useRef(false)
  useEffect(() => {
    wasAway.current = isBroken && (wasAway.current || !isConnected)
    if (wasAway.current && isConnected) location.reload()
  }, [isBroken, isConnected])
}

function CurrentPage() {
  const { parts } = usePlace()
  const path = parts[0] ?? ''
  const entry = pages.find((page) => page.path === path)
  const [, redraw] = useState(0)
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    setProblem(undefined)
    if (!entry || loaded.has(path)) return
    entry.load().then(
      (page) => {
        loaded.set(path, page)
        redraw((before) => before + 1)
      },
      () => setProblem(new Error('This part of the page could not be loaded; reload the page')),
    )
  }, [entry, path])
  useReloadOnReturn(problem !== undefined)
  if (!entry) {
    return (
      <Empty title="There is nothing at this address">
        <p>
          <a href={pathTo([])}>Back to today</a>
        </p>
      </Empty>
    )
  }
  if (problem) return <Problem error={problem} />
  const Page = loaded.get(path)
  return Page ? <Page key={path} /> : <Waiting rows={6} />
}
