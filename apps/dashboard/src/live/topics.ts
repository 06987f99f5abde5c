import { createStore } from './store.ts'

/** What a view shows; a topic's number grows when that is no longer what the server has. */
export type Topic = 'tasks' | 'dialogs' | 'guide' | 'context' | 'stats' | 'chat' | 'team'

const topics: readonly Topic[] = ['tasks', 'dialogs', 'guide', 'context', 'stats', 'chat', 'team']

export const versions = createStore<Readonly<Record<Topic, number>>>(
  Object.fromEntries(topics.map((topic) => [topic, 0])) as Record<Topic, number>,
)

export function changed(...which: readonly Topic[]): void {
  const next = { ...versions.get() }
  for (const topic of which) next[topic]++
  versions.set(next)
}

export const everything = topics
