import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { App } from '../../app/app.ts'
import type { Topic } from '../../storage/topics.ts'

const HEARTBEAT_MS = 20_000
const UNEXPECTED = {
  error: 'internal_error',
  message: 'Something went wrong; see the log',
}

interface Called {
  readonly user: string
  readonly tool: string
}

/** What an open page is told: what is no longer as it saw it, or which tools were called. Never what was said. */
export type LiveEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'calls'; readonly tools: readonly string[] }
  | Exclude<Happening, { readonly kind: 'calls' }>

export type Happening =
  | { readonly kind: 'calls'; readonly calls: readonly Called[] }
  | { readonly kind: 'written'; readonly topics: readonly Topic[] }
  | { readonly kind: 'changed' | 'dialogs' }
  | { readonly kind: 'chat'; readonly user: string }

type Listener = (event: Happening) => void

const GATHER_DIALOGS_MS = 1_000

/** Nothing runs while nobody listens. */
export function createLiveFeed(
  app: Pick<App, 'calls' | 'changes' | 'conversations' | 'dialogs' | 'writes'>,
): (listener: Listener) => () => void {
  const listeners = new Set<Listener>()
  let stop: (() => void) | undefined
  const tell = (event: Happening) => {
    for (const listener of listeners) listener(event)
  }
  return (listener) => {
    listeners.add(listener)
    stop ??= follow(app, tell)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      stop?.()
      stop = undefined
    }
  }
}

function follow(
  { calls, changes, conversations, dialogs, writes }: Parameters<typeof createLiveFeed>[0],
  tell: Listener,
): () => void {
  const newCalls = callsSinceBefore(calls)
  void newCalls()
  const stopWrites = writes.listen((written) => {
    const topics = [...written].filter((topic) => topic !== 'stats')
    if (topics.length > 0) tell({ kind: 'written', topics })
    if (!written.has('stats')) return
    void newCalls().then((calls) => calls.length > 0 && tell({ kind: 'calls', calls }))
  })
  const stopChanges = changes.listen(() => tell({ kind: 'changed' }))
  const stopChats = conversations.onChange((user) => tell({ kind: 'chat', user }))
  // The first reading of a machine tells of every dialog there is: one notice stands for all of a moment's.
  let notice: NodeJS.Timeout | undefined
  const stopDialogs = dialogs.onChange(() => {
    notice ??= setTimeout(() => {
      notice = undefined
      tell({ kind: 'dialogs' })
    }, GATHER_DIALOGS_MS).unref()
  })
  return () => {
    clearTimeout(notice)
    stopWrites()
    stopChanges()
    stopChats()
    stopDialogs()
  }
}

/** Calls of every process that shares the database: each counts its own there. */
function callsSinceBefore(account: App['calls']): () => Promise<Called[]> {
  let seen: ReadonlyMap<string, number> | undefined
  return async () => {
    // A database that is away for a moment costs a look, not the feed.
    const counts = await countsOf(account).catch(() => undefined)
    if (!counts) return []
    const before = seen
    seen = counts
    if (!before) return []
    return [...counts]
      .filter(([key, count]) => count !== (before.get(key) ?? 0))
      .map(([key]) => JSON.parse(key) as Called)
  }
}

/** This hour's and the last one's, so that the turn of the hour loses nothing. */
async function countsOf(account: App['calls']): Promise<Map<string, number>> {
  const lastHour = new Date(Date.now() - 3_600_000).toISOString().slice(0, 13)
  return new Map(
    (await account.byUser(lastHour)).map(({ user, tool, calls }) => [
      JSON.stringify({ user, tool }),
      calls,
    ]),
  )
}

/** What of it one caller may hear: their own, and the whole for an operator. Dialogs are the local owner's. */
export function heardBy(
  { user, role }: Pick<Caller, 'user' | 'role'>,
  localUser: string,
  event: Happening,
): LiveEvent | undefined {
  if (event.kind === 'chat') return event.user === user ? event : undefined
  if (event.kind !== 'calls')
    return event.kind !== 'dialogs' || user === localUser ? event : undefined
  const heard = event.calls.filter((call) => role === 'operator' || call.user === user)
  const tools = [...new Set(heard.map(({ tool }) => tool))]
  return tools.length > 0 ? { kind: 'calls', tools } : undefined
}

type SendEvent = (event: string, data: unknown) => void

/**
 * A response of server-sent events that lives as long as the work does. The work is told when the reader has left: it may go on,
 * so that what was begun is also kept.
 */
export function eventStream(
  work: (send: SendEvent, left: AbortSignal) => Promise<void>,
  log: Log,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder()
  const reader = new AbortController()
  const left = AbortSignal.any([signal, reader.signal])
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!left.aborted) controller.enqueue(encoder.encode(text))
      }
      const send: SendEvent = (event, data) =>
        write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      // Proxies end a silent connection, and the page takes one for broken.
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS).unref()
      work(send, left)
        .catch((error: unknown) => {
          const isKnown = error instanceof Failure
          // A person who stops an answer is nothing that went wrong.
          if (!isKnown && !left.aborted) log.error({ err: error }, 'unexpected error in a stream')
          send('error', isKnown ? { error: error.errorType, message: error.message } : UNEXPECTED)
        })
        .finally(() => {
          clearInterval(heartbeat)
          if (!reader.signal.aborted) controller.close()
        })
    },
    cancel: () => reader.abort(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}
