import type { Topic } from '@secretary-mcp/secretary/storage/topics.ts'
import { createStore } from './store.ts'

/** A topic's number grows when what a view shows is no longer what the server has. */
const topics: readonly Topic[] = ['tasks', 'dialogs', 'guide', 'context', 'stats', 'chat', 'team']

export type { Topic }

export const versions = createStore<Readonly<Record<Topic, number>>>(
  Object.fromEntries(topics.map((topic) => [topic, 0])) as Record<Topic, number>,
)

export function changed(...which: readonly Topic[]): void {
  const next = { ...versions.get() }
  for (const topic of which) next[topic]++
  versions.set(next)
}

export const everything = topics
