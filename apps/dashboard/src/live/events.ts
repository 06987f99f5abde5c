import type { LiveEvent } from '@secretary-mcp/secretary/serve/api/live-feed.ts'
import { ApiError, listen } from './api.ts'
import { loadSession, session } from './session.ts'
import { readEvents } from './sse.ts'
import { createStore } from './store.ts'
import { changed, everything, type Topic } from './topics.ts'

export const connected = createStore(true)

const SOONEST_MS = 1_000
const LATEST_MS = 15_000
/** The server says something every 20 s; a broken connection is silent. */
const MAX_SILENCE_MS = 50_000
const TOPIC_OF: Readonly<Record<string, Topic>> = {
  tasks: 'tasks',
  guide: 'guide',
  context: 'context',
  dialogs: 'dialogs',
}

/** Follows the server for as long as the page lives: `fetch`, because an EventSource cannot carry a token. */
export async function followEvents(signal: AbortSignal): Promise<void> {
  let wait = SOONEST_MS
  let missedSome = false
  while (!signal.aborted) {
    // A browser opens six connections to a server: tabs that nobody sees must not hold them all.
    if (document.hidden) await waitForAttention(signal)
    if (document.hidden) continue
    try {
      await hearUntilSilent(signal, () => {
        connected.set(true)
        wait = SOONEST_MS
        if (missedSome) catchUp()
      })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return
    }
    missedSome = true
    if (signal.aborted || document.hidden) continue
    connected.set(false)
    await waitForAttention(signal, wait)
    wait = Math.min(wait * 2, LATEST_MS)
  }
}

/** Until the stream ends, falls silent, or nobody looks any more. */
async function hearUntilSilent(signal: AbortSignal, onOpen: () => void): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  const endUnseen = () => document.hidden && end()
  let silence = setTimeout(end, MAX_SILENCE_MS)
  signal.addEventListener('abort', end)
  document.addEventListener('visibilitychange', endUnseen)
  try {
    const response = await listen('get /api/v1/events', { signal: stop.signal })
    onOpen()
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(end, MAX_SILENCE_MS)
    }
    for await (const { data } of readEvents(response, heard)) hear(JSON.parse(data))
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', end)
    document.removeEventListener('visibilitychange', endUnseen)
  }
}

/** A while, or less: somebody looks, the network is back, or it is over. */
function waitForAttention(signal: AbortSignal, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const timer = ms === undefined ? undefined : setTimeout(() => wake(), ms)
    const wake = () => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    signal.addEventListener('abort', wake, { signal: done.signal })
    window.addEventListener('online', wake, { signal: done.signal })
    document.addEventListener('visibilitychange', wake, { signal: done.signal })
  })
}

/** The server may be another one by now, with other tools. */
function catchUp(): void {
  loadSession().catch(() => {})
  changed(...everything)
}

function hear(event: LiveEvent): void {
  if (event.kind === 'changed') changed('guide', 'context', 'dialogs')
  if (event.kind === 'dialogs') changed('dialogs')
  if (event.kind === 'written') changed(...event.topics)
  if (event.kind === 'chat') changed('chat')
  if (event.kind !== 'calls') return
  const { tools } = event
  const known = session.get()?.tools ?? []
  const written = known.filter(({ name, effect }) => effect !== 'read' && tools.includes(name))
  changed('stats', ...written.flatMap(({ family }) => TOPIC_OF[family] ?? []))
}
