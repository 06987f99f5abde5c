import { ApiError, send } from './api.ts'
import { session } from './session.ts'
import { readEvents } from './sse.ts'
import { createStore } from './store.ts'
import { changed, everything, type Topic } from './topics.ts'

export const connected = createStore(true)

const SOONEST_MS = 1_000
const LATEST_MS = 15_000
const TOPIC_OF: Readonly<Record<string, Topic>> = { tasks: 'tasks', guide: 'guide', context: 'context', dialogs: 'dialogs' }

/** Follows the server for as long as the page lives: `fetch`, because an EventSource cannot carry a token. */
export async function followEvents(signal: AbortSignal): Promise<void> {
  let wait = SOONEST_MS
  let missedSome = false
  while (!signal.aborted) {
    try {
      const response = await send('GET', '/api/v1/events', { signal, accept: 'text/event-stream' })
      connected.set(true)
      wait = SOONEST_MS
      if (missedSome) changed(...everything)
      for await (const { event, data } of readEvents(response)) hear(event, data)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return
    }
    if (signal.aborted) return
    connected.set(false)
    missedSome = true
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, LATEST_MS)
  }
}

function hear(event: string, data: string): void {
  if (event === 'changed') changed('guide', 'context', 'dialogs')
  if (event === 'dialogs') changed('dialogs')
  if (event === 'chat') changed('chat')
  if (event !== 'calls') return
  const { tools } = JSON.parse(data) as { tools: readonly string[] }
  const known = session.get()?.tools ?? []
  const written = known.filter(({ name, effect }) => effect !== 'read' && tools.includes(name))
  changed('stats', ...written.flatMap(({ family }) => TOPIC_OF[family] ?? []))
}
