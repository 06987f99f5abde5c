import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { DISCOVERY_TYPES, VERDICTS } from '../../context/discoveries/discovery.ts'
import { unreadNote } from '../../dialogs/dialog-schema.ts'
import { route } from './route.ts'

const suggestion = z.object({
  id: z.string(),
  type: z.enum(DISCOVERY_TYPES),
  content: z.string().describe('As the person typed it'),
  module: z.string().optional(),
  date: z.string(),
  session: z.string().optional().describe('Dialog it was typed in'),
  request: z.int().optional().describe('Its request, from 1'),
})

/** What rules drew from typed text. It counts as a discovery once a person confirms it. */
export function suggestionRoutes(app: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/suggestions',
      tag: 'context',
      summary:
        'Decisions, rules, patterns and issues that were typed in dialogs, for a person to confirm',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number'),
        offset: z.coerce.number().int().min(0).default(0).describe('How many to skip'),
      }),
      answers: {
        200: z.object({ suggestions: z.array(suggestion), total: z.int(), note: unreadNote }),
      },
      async handle({ caller, query, signal }) {
        if (app.noProject) return { status: 200, body: { suggestions: [], total: 0 } }
        const { discoveries, total, isReading } = await app.context.suggestions(
          caller,
          query,
          signal,
        )
        const suggestions = discoveries.map(
          ({ id, type, content, module, date, session, sources }) => ({
            id,
            type,
            content,
            module,
            date,
            session,
            request: sources[0]?.request,
          }),
        )
        const note = isReading ? 'Dialogs are still being read' : undefined
        return { status: 200, body: { suggestions, total, note } }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/suggestions/{id}',
      tag: 'context',
      summary: 'Confirm a suggestion, or dismiss it for good',
      body: z.object({ verdict: z.enum(VERDICTS).describe('What the person says about it') }),
      answers: { 204: undefined, 404: undefined },
      async handle({ caller, params, body }) {
        const judged = app.noProject
          ? undefined
          : await app.context.judge(caller, params.id, body.verdict)
        if (judged) return { status: 204 }
        return { status: 404, body: { error: 'not_found', message: 'Suggestion not found' } }
      },
    }),
  ]
}
