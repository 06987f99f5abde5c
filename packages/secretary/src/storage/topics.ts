import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogEvent } from 'kysely'
import type { Tables } from './tables.ts'

/** What a view shows. Whoever looks at it is told when it was written. */
export const TOPICS = ['tasks', 'dialogs', 'guide', 'context', 'stats', 'chat', 'team'] as const
export type Topic = (typeof TOPICS)[number]

/** The tables without a topic hold what no view shows, or tell of it themselves. */
const TOPIC_OF: Partial<Record<keyof Tables, Topic>> = {
  tasks: 'tasks',
  task_requests: 'tasks',
  pins: 'dialogs',
  dialogs: 'dialogs',
  shared_requests: 'dialogs',
  request_sharing: 'dialogs',
  unshared_dialogs: 'dialogs',
  discoveries: 'context',
  guide_projects: 'guide',
  guide_selections: 'guide',
  guide_profiles: 'guide',
  guide_flags: 'guide',
  space_documents: 'guide',
  shared_documents: 'guide',
  tool_tallies: 'stats',
  spaces: 'team',
  space_members: 'team',
  space_invitations: 'team',
}
const topics: ReadonlyMap<string, Topic> = new Map(Object.entries(TOPIC_OF))

const underWay = new AsyncLocalStorage<Set<Topic>>()

/** Runs work on the database. What it wrote is told once it is done, so that whoever asks then finds it. */
export async function tellingWhatIsWritten<T>(
  work: () => Promise<T>,
  tell: (written: ReadonlySet<Topic>) => void,
): Promise<T> {
  const written = new Set<Topic>()
  const answer = await underWay.run(written, work)
  if (written.size > 0) tell(written)
  return answer
}

/** Takes note of a statement that ran. */
export function noteWritten({ level, query }: LogEvent): void {
  if (level === 'error') return
  const [, table = ''] =
    /^(?:insert into|update|delete from|replace into) "?(\w+)/i.exec(query.sql) ?? []
  const topic = topics.get(table)
  if (topic) underWay.getStore()?.add(topic)
}
