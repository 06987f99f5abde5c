import { hourStats, toolStats } from '@secretary-mcp/core/calls.ts'
import type { Listing } from '@secretary-mcp/core/catalogue.ts'
import { examine, health, withoutPlaces } from '@secretary-mcp/core/health-check.ts'
import { tokenCosts } from '@secretary-mcp/core/token-cost.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { route } from './route.ts'

const looseObject = z.record(z.string(), z.unknown())
const toolAnswer = z.object({
  isError: z.boolean(),
  error_type: z.string().optional().describe('Kind of failure, such as not_found'),
  body: looseObject.describe('In the shape of the tool’s family'),
  reminders: z.array(z.string()),
})
const jsonSchema = z.custom<z.core.JSONSchema.JSONSchema>((value) => typeof value === 'object')
const listing = z.object({
  name: z.string(),
  title: z.string(),
  family: z.string(),
  effect: z.enum(['read', 'write', 'destroy']),
  idempotent: z.boolean(),
  description: z.string(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema,
  short: z.string().describe('The description in the compact profile'),
  examples: z.array(z.object({ args: looseObject, shows: z.string() })),
  limitPerMinute: z.int().optional(),
  tokens: z.object({ full: z.int(), compact: z.int() }),
})

/** Every tool over plain HTTP, for the page and for scripts: the same boundary, the same shapes. */
export function toolRoutes(app: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/tools',
      tag: 'tools',
      summary: 'Every tool with its schema and what it costs a client',
      answers: { 200: z.object({ tools: z.array(listing) }) },
      async handle() {
        const full = app.listings('full')
        const costs = tokenCosts(app.tools.values())
        const tools = [...app.tools.values()].map(({ tool }, place) => ({
          ...(full[place] as Listing),
          short: tool.description,
          examples: tool.examples,
          limitPerMinute: tool.limitPerMinute,
          tokens: { full: costs[place]?.full ?? 0, compact: costs[place]?.compact ?? 0 },
        }))
        return { status: 200, body: { tools } }
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/tools/{name}',
      tag: 'tools',
      summary: 'Call a tool; the answer is the tool’s own, even if it failed',
      body: looseObject,
      answers: {
        200: toolAnswer,
        404: toolAnswer,
      },
      async handle({ params, body, caller, signal }) {
        const { name } = params
        const { result, shape, reminders } = await app.boundary.call(name, body, caller, { signal })
        const answer = { ...shape, error_type: result.errorType, reminders }
        return result.errorType === 'unknown_tool'
          ? { status: 404, body: answer }
          : { status: 200, body: answer }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/stats',
      tag: 'tools',
      summary: 'Calls, success, percentiles, errors and rate-limit hits by tool',
      query: z.object({
        since: z
          .string()
          .max(30)
          .optional()
          .describe('Only hours from this one on, such as 2026-01-31T08'),
      }),
      answers: { 200: z.object({ tools: z.array(toolStats), hours: z.array(hourStats) }) },
      async handle({ query, caller }) {
        const since = query.since ?? ''
        const { stats, hours } = app.calls.seenBy(caller)
        return { status: 200, body: { tools: await stats(since), hours: await hours(since) } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/health',
      tag: 'health',
      summary: 'Problems of this installation and how to fix them',
      answers: { 200: z.object({ checks: z.array(health.extend({ name: z.string() })) }) },
      async handle({ user, caller }) {
        const shown = app.healthChecks
          .filter(({ isPrivate }) => !isPrivate || user === app.localCaller.user)
          .map((check) => (caller.role === 'operator' ? check : withoutPlaces(check)))
        return { status: 200, body: { checks: await examine(shown) } }
      },
    }),
  ]
}
