import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { unreadNote } from '../../dialogs/dialog-schema.ts'
import { FOUND_KINDS } from '../../find/find.ts'
import { route } from './route.ts'

const found = z.object({
  title: z.string(),
  text: z.string().optional().describe('The part of its text around the hit'),
  note: z.string().optional(),
  at: z.number().optional().describe('In milliseconds'),
  why: z.string().describe('Why it is here'),
  session: z.string().optional(),
  dialog: z.string().optional().describe('Title of its dialog'),
  request: z.int().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
  task: z.int().optional(),
  document: z.string().optional(),
  tool: z.string().optional(),
})

/** One search for all that the page shows. */
export function findRoutes(app: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/find',
      tag: 'page',
      summary:
        'Requests, answers, decisions, tasks, documents, files, symbols, tools and commands by their words',
      query: z.object({
        q: z
          .string()
          .max(500)
          .describe('Words; agent:, project:, after: and file: narrow the search'),
        limit: z.coerce.number().int().min(1).max(50).default(6).describe('Maximum in a group'),
      }),
      answers: {
        200: z.object({
          words: z.string().describe('Without what narrows the search'),
          groups: z.array(z.object({ kind: z.enum(FOUND_KINDS), found: z.array(found) })),
          note: unreadNote,
        }),
      },
      handle: async ({ caller, query: { q, limit }, signal }) => ({
        status: 200,
        body: await app.find(caller, { typed: q, limit }, signal),
      }),
    }),
  ]
}
