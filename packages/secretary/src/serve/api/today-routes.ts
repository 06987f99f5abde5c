import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { unreadNote } from '../../dialogs/dialog-schema.ts'
import { DOUBTS } from '../../dialogs/ledger/ledger-entry.ts'
import { ledgerAnswer } from '../../dialogs/tools/ledger.ts'
import { route } from './route.ts'

const DAY_MS = 86_400_000
const MAX_NEEDS = 10
const asked = ledgerAnswer.shape.entries.element.extend({
  sessionId: z.string(),
  source: z.enum(SOURCE_NAMES),
  title: z.string().describe('The request in one line'),
  dialogTitle: z.string().optional(),
})
const need = z.object({
  need: z.string().describe('Its name, to dismiss it by'),
  kind: z.enum(DOUBTS).extract(['unanswered', 'failing', 'interrupted']),
  question: z.string().optional().describe('What the agent asked last'),
  sessionId: z.string(),
  index: z.int(),
  source: z.enum(SOURCE_NAMES),
  title: z.string(),
  timestamp: z.number(),
  failed: z.string().optional().describe('The command that failed'),
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
      summary:
        'What you asked lately and what happened to it, what needs you, what agents are doing',
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
          requests: z.array(asked).describe('The latest first, also of the days before'),
          total: z.int().describe('Requests since then'),
          needs: z.array(need).describe('What is proven to wait for you, of the last week'),
          dismissed: z.array(z.string()).describe('Names of what you dismissed'),
          working: z.array(working),
          dialogs: z.int().describe('Dialogs in any project'),
          note: unreadNote,
        }),
      },
      async handle({ caller, query, signal }) {
        const [today, dismissed] = await Promise.all([
          app.dialogs.deeds.today(caller, query.since ?? Date.now() - DAY_MS, signal),
          app.dismissals.list(caller.user),
        ])
        const needs = today.needs.filter(({ need }) => !dismissed.has(need)).slice(0, MAX_NEEDS)
        return { status: 200, body: { ...today, needs, dismissed: [...dismissed] } }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/today/dismissed',
      tag: 'page',
      summary: 'Dismiss something that needs you, or take that back',
      body: z.object({
        need: z.string().min(1).max(600).describe('Its name, or `task` and a number'),
        dismissed: z.boolean(),
      }),
      answers: { 204: undefined },
      async handle({ caller, body: { need, dismissed } }) {
        await app.dismissals[dismissed ? 'dismiss' : 'restore'](caller.user, need)
        return { status: 204 }
      },
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
