import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { unreadNote } from '../../dialogs/dialog-schema.ts'
import { ledgerAnswer } from '../../dialogs/tools/ledger.ts'
import { route } from './route.ts'

const DAY_MS = 86_400_000
const asked = ledgerAnswer.shape.entries.element.extend({
  sessionId: z.string(),
  source: z.enum(SOURCE_NAMES),
  title: z.string().optional(),
})
const working = z.object({
  sessionId: z.string(),
  source: z.enum(SOURCE_NAMES),
  title: z.string().optional(),
  firstRequestPreview: z.string().optional(),
  project: z.string().optional(),
  at: z.number().describe('When it last wrote something'),
  file: z.string().optional(),
  command: z.string().optional(),
  exit: z.int().optional().describe('Absent while the command runs'),
})
const decision = z.object({
  id: z.string(),
  content: z.string(),
  date: z.string(),
  session: z.string().optional().describe('Dialog it came from'),
  request: z.int().optional().describe('Its request, from 1'),
  changedFiles: z.array(z.string()).describe('Files it refers to that changed since'),
  space: z.string().optional().describe('Space that it belongs to'),
})

/** What a person wants to know when they come back to a project. */
export function todayRoutes(app: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/today',
      tag: 'page',
      summary: 'What was asked in the project, what came of it, and what agents are doing',
      query: z.object({
        since: z.coerce
          .number()
          .int()
          .min(0)
          .optional()
          .describe('When today began, in milliseconds; a day ago if omitted'),
      }),
      answers: {
        200: z.object({
          requests: z.array(asked).describe('The latest first'),
          total: z.int().describe('Requests since then'),
          isEarlier: z.boolean().describe('None since then: the latest before it'),
          open: z.array(asked).describe('Of the last week, with something that speaks against'),
          working: z.array(working),
          dialogs: z.int().describe('Dialogs in any project'),
          note: unreadNote,
        }),
      },
      handle: async ({ caller, query, signal }) => ({
        status: 200,
        body: await app.dialogs.deeds.today(caller, query.since ?? Date.now() - DAY_MS, signal),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/decisions',
      tag: 'context',
      summary: 'Decisions in the project, the latest first',
      query: z.object({
        session: z.string().min(1).max(500).optional().describe('Only those of this dialog'),
        limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number'),
      }),
      answers: { 200: z.object({ decisions: z.array(decision), total: z.int() }) },
      async handle({ caller, query }) {
        if (app.noProject) return { status: 200, body: { decisions: [], total: 0 } }
        const wanted = { ...query, type: 'decision' as const }
        const { discoveries, total } = await app.context.discoveries(caller, wanted)
        const decisions = discoveries
          .filter(({ newer }) => newer === undefined)
          .map(({ id, content, date, origin, session, sources, changedFiles, space }) => {
            const [first] = sources
            return {
              id,
              content,
              date,
              // What was recorded on purpose names a connection, which is no dialog.
              session: first?.dialog ?? (origin === 'dialog' ? session : undefined),
              request: first?.request,
              changedFiles: [...changedFiles],
              space,
            }
          })
        return { status: 200, body: { decisions, total } }
      },
    }),
  ]
}
