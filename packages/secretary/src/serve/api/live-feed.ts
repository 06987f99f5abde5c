import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { App } from '../../app/app.ts'

interface Called {
  readonly user: string
  readonly tool: string
}

/** What an open page is told: which tools were called, or that a list is no longer what it saw. Never what was said. */
export type LiveEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'calls'; readonly tools: readonly string[] }
  | Exclude<Happening, { readonly kind: 'calls' }>

export type Happening =
  | { readonly kind: 'calls'; readonly calls: readonly Called[] }
  | { readonly kind: 'changed' | 'dialogs' }
  | { readonly kind: 'chat'; readonly user: string }

type Listener = (event: Happening) => void

const LOOK_EVERY_MS = 2_000

/**
 * Calls of every process that shares the database: an agent's server on stdio counts its calls there, and the counts
 * are what is watched. Nothing runs while nobody listens.
 */
export function createLiveFeed(
  app: Pick<App, 'metrics' | 'changes' | 'conversations' | 'dialogs'>,
): (listener: Listener) => () => void {
  const listeners = new Set<Listener>()
  let seen: ReadonlyMap<string, number> | undefined
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => void) | undefined
  const tell = (event: Happening) => {
    for (const listener of listeners) listener(event)
  }

  async function look(): Promise<void> {
    const counts = await countsOf(app)
    const before = seen
    seen = counts
    if (!before) return
    const calls = [...counts]
      .filter(([key, count]) => count !== (before.get(key) ?? 0))
      .map(([key]) => JSON.parse(key) as Called)
    if (calls.length > 0) tell({ kind: 'calls', calls })
  }

  function again(): void {
    timer = setTimeout(() => {
      // A database that is away for a moment costs a look, not the feed.
      void look()
        .catch(() => {})
        .then(() => listeners.size > 0 && again())
    }, LOOK_EVERY_MS).unref()
  }

  return (listener) => {
    listeners.add(listener)
    if (listeners.size === 1) {
      stopListening = follow(app, tell)
      look().catch(() => {})
      again()
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      clearTimeout(timer)
      stopListening?.()
      seen = undefined
    }
  }
}

/** The first reading of a machine tells of every dialog there is: one notice stands for all of a moment's. */
function follow(
  { changes, conversations, dialogs }: Parameters<typeof createLiveFeed>[0],
  tell: Listener,
): () => void {
  let notice: NodeJS.Timeout | undefined
  const stopChanges = changes.listen(() => tell({ kind: 'changed' }))
  const stopChats = conversations.onChange((user) => tell({ kind: 'chat', user }))
  const stopDialogs = dialogs.onChange(() => {
    notice ??= setTimeout(() => {
      notice = undefined
      tell({ kind: 'dialogs' })
    }, LOOK_EVERY_MS / 2).unref()
  })
  return () => {
    clearTimeout(notice)
    stopChanges()
    stopChats()
    stopDialogs()
  }
}

/** This hour's and the last one's, so that the turn of the hour loses nothing. */
async function countsOf({ metrics }: Pick<App, 'metrics'>): Promise<Map<string, number>> {
  const lastHour = new Date(Date.now() - 3_600_000).toISOString().slice(0, 13)
  return new Map(
    (await metrics.calls(lastHour)).map(({ user, tool, calls }) => [
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
    return event.kind === 'changed' || user === localUser ? event : undefined
  const heard = event.calls.filter((call) => role === 'operator' || call.user === user)
  const tools = [...new Set(heard.map(({ tool }) => tool))]
  return tools.length > 0 ? { kind: 'calls', tools } : undefined
}
