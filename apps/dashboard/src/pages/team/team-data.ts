import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { say } from '../../parts/toasts.tsx'

export type Space = AnswerOf<'get /api/v1/spaces'>['spaces'][number]
export type Member = AnswerOf<'get /api/v1/spaces/{space}/members'>['members'][number]

/** Everyone belongs to it; it has no list of people and cannot be changed. */
export const EVERYBODY = 'everybody'

export const ROLES = [
  ['reader', 'Reader'],
  ['member', 'Member'],
  ['operator', 'Operator'],
] as const

/** Where a space and what is in it are shown. */
export const SHOWN_IN = ['team', 'tasks', 'context', 'guide'] as const

export function useSpaces() {
  return useQuery('spaces', 'team', (signal) => call('get /api/v1/spaces', { signal }))
}

export function useInvitations() {
  return useQuery('invitations', 'team', (signal) => call('get /api/v1/invitations', { signal }))
}

/** Shows what came of a change; false where it was refused, and the reason is said. */
export async function change(work: Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work
    say(done)
    changed(...SHOWN_IN)
    return true
  } catch (error) {
    say((error as Error).message)
    changed('team')
    return false
  }
}
