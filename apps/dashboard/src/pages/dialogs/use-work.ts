import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { type Query, useQuery } from '../../live/use-query.ts'

export type Work = AnswerOf<'get /api/v1/dialogs/work'>

/** What was changed and run for a request, fetched once somebody opens it. */
export function useWork(session: string, index: number, isOpen: boolean): Query<Work> {
  return useQuery(isOpen ? `work ${session} ${index}` : undefined, 'dialogs', (signal) =>
    call('get /api/v1/dialogs/work', { query: { session, index }, signal }),
  )
}
