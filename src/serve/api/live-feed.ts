import type { App } from '../../app.ts'

/** What an open page is told: which tools were called, or that a list is no longer what it saw. Never what was said. */
export type LiveEvent =
  | { readonly kind: 'calls'; readonly tools: readonly string[] }
  | { readonly kind: 'changed' | 'dialogs' }
  | { readonly kind: 'chat'; readonly user: string }

type Listener = (event: LiveEvent) => void

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
  const tell = (event: LiveEvent) => {
    for (const listener of listeners) listener(event)
  }

  async function look(): Promise<void> {
    const counts = await countsOf(app)
    const before = seen
    seen = counts
    if (!before) return
    const tools = [...counts]
      .filter(([tool, calls]) => calls !== (before.get(tool) ?? 0))
      .map(([tool]) => tool)
    if (tools.length > 0) tell({ kind: 'calls', tools })
  }

  function again(): void {
    timer = setTimeout(() => {
      // A database that is away for a moment costs a look, not the feed.
      look()
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
  return new Map((await metrics.stats(lastHour)).map(({ tool, calls }) => [tool, calls]))
}
