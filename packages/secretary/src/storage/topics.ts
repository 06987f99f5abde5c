import type { Tables } from './tables.ts'

/** What a view shows. Whoever looks at it is told when it was written. */
export const TOPICS = ['tasks', 'dialogs', 'guide', 'context', 'stats', 'chat', 'team'] as const
export type Topic = (typeof TOPICS)[number]

/** The tables without a topic hold what no view shows, or tell of it themselves. */
const TOPIC_OF: Partial<Record<keyof Tables, Topic>> = {
  tasks: 'tasks',
  task_requests: 'tasks',
  pins: 'dialogs',
  dismissals: 'dialogs',
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
export const topicOfTable: ReadonlyMap<string, Topic> = new Map(Object.entries(TOPIC_OF))
