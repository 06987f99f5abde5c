import { figure, GROUPINGS } from '@secretary-mcp/core/calls.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { route } from './route.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-01-31')
const logged = z.object({
  at: z.string(),
  user: z.string(),
  agent: z.string().optional(),
  project: z.string(),
  session: z.string().optional(),
  tool: z.string(),
  ms: z.number(),
  tokens: z.int().describe('Of the answer, estimated'),
  error: z.string().optional(),
  arguments: z
    .string()
    .optional()
    .describe("JSON, without secrets and contents; absent from others' calls"),
  answer: z
    .string()
    .optional()
    .describe("Its beginning; absent if it could hold file contents, and from others' calls"),
  byPage: z.boolean(),
})

/** What the tools were used for. A member sees their own calls, an operator that others called, too. */
export function figureRoutes(app: App) {
  const seenBy = ({ user, role }: Caller) => (role === 'operator' ? undefined : user)
  return [
    route({
      method: 'get',
      path: '/api/v1/figures',
      tag: 'tools',
      summary: 'Calls, failures, tokens and times by day, agent, tool or project',
      query: z.object({
        by: z.enum(GROUPINGS).describe('What to group by'),
        since: day.describe('First day'),
      }),
      answers: { 200: z.object({ figures: z.array(figure) }) },
      handle: async ({ caller, query: { by, since } }) => ({
        status: 200,
        body: { figures: await app.calls.figures(by, since, seenBy(caller)) },
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/calls',
      tag: 'tools',
      summary: 'The last calls, the latest first',
      query: z.object({
        session: z.string().max(500).optional().describe('Only of this dialog or connection'),
        tool: z.string().max(200).optional().describe('Only of this tool'),
        page: flag.optional().describe('Only from the page, or only from elsewhere'),
        failed: flag.optional().describe('Only those that failed'),
        limit: z.coerce.number().int().min(1).max(500).default(100).describe('Maximum number'),
      }),
      answers: { 200: z.object({ calls: z.array(logged) }) },
      async handle({ caller, query: { page, ...wanted } }) {
        const filter = { ...wanted, byPage: page, user: seenBy(caller) }
        return { status: 200, body: { calls: await app.calls.latest(filter, caller.user) } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/days',
      tag: 'dialogs',
      summary: 'How many requests each agent got on each day, in any project',
      query: z.object({ since: day.describe('First day') }),
      answers: {
        200: z.object({
          days: z.array(
            z.object({ day: z.string(), source: z.enum(SOURCE_NAMES), requests: z.int() }),
          ),
        }),
      },
      handle: async ({ caller, query, signal }) => ({
        status: 200,
        body: { days: await app.dialogs.requestDays(caller, query.since, signal) },
      }),
    }),
  ]
}
