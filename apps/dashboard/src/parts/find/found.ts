import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { pathTo } from '../../live/router.ts'
import { type Query, useQuery } from '../../live/use-query.ts'

export type FoundGroup = AnswerOf<'get /api/v1/find'>['groups'][number]
export type Found = FoundGroup['found'][number]

export const GROUP_NAMES: Readonly<Record<FoundGroup['kind'], string>> = {
  request: 'Requests',
  answer: 'Answers',
  decision: 'Decisions',
  task: 'Tasks',
  document: 'Documents',
  file: 'Files',
  symbol: 'Symbols',
  tool: 'Tools',
  command: 'Commands',
}

export function useFind(typed: string, limit: number): Query<AnswerOf<'get /api/v1/find'>> {
  const q = typed.trim()
  return useQuery(q === '' ? undefined : `find ${limit} ${q}`, 'dialogs', (signal) =>
    call('get /api/v1/find', { query: { q, limit }, signal }),
  )
}

/** Where it leads on the page. */
export function addressOf(found: Found): string {
  const { file, line, task, document, tool, session, request } = found
  if (file) return pathTo(['file'], { path: file, line })
  if (task) return pathTo(['tasks', task])
  if (document) return pathTo(['guide'], { document })
  if (tool) return pathTo(['tools'], { name: tool })
  if (session) return pathTo(['dialogs'], { session, at: request })
  return pathTo(['search'], { q: found.title })
}
