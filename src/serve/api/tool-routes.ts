import * as z from 'zod'
import type { App } from '../../app.ts'
import { UnknownToolError } from '../../core/boundary.ts'
import { examine } from '../../core/health-check.ts'
import { tokenCosts } from '../../core/token-cost.ts'
import { type Route, route } from './route.ts'

const looseObject = z.record(z.string(), z.unknown())

/** Every tool over plain HTTP, for the page and for scripts: the same boundary, the same shapes. */
export function toolRoutes(app: App): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/tools',
      tag: 'tools',
      summary: 'Every tool with its schema and what it costs a client',
      answers: { 200: z.object({ tools: z.array(looseObject) }) },
      async handle() {
        const full = app.listings('full')
        const costs = await tokenCosts({ full, compact: app.listings('compact') })
        const tools = [...app.tools.values()].map(({ tool }, place) => ({
          ...full[place],
          short: tool.description,
          examples: tool.examples,
          limitPerMinute: tool.limitPerMinute,
          tokens: { full: costs[place]?.full, compact: costs[place]?.compact },
        }))
        return { status: 200, body: { tools } }
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/tools/{name}',
      tag: 'tools',
      summary: 'Call a tool; the answer is the tool’s own, also where it failed',
      body: looseObject,
      answers: {
        200: z.object({ isError: z.boolean(), body: looseObject, reminders: z.array(z.string()) }),
        404: undefined,
      },
      async handle({ params, body, caller, signal }) {
        try {
          const answer = await app.boundary.call(params.name ?? '', body, caller, { signal })
          return {
            status: 200,
            body: { isError: answer.isError, body: answer.body, reminders: answer.reminders },
          }
        } catch (error) {
          if (error instanceof UnknownToolError)
            return { status: 404, body: { error: 'not_found', message: error.message } }
          throw error
        }
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
      answers: { 200: z.object({ tools: z.array(looseObject), hours: z.array(looseObject) }) },
      async handle({ query }) {
        const since = query.since ?? ''
        return {
          status: 200,
          body: { tools: await app.metrics.stats(since), hours: await app.metrics.hours(since) },
        }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/health',
      tag: 'health',
      summary: 'What is wrong with this installation, and how to mend it',
      answers: { 200: z.object({ checks: z.array(looseObject) }) },
      async handle({ user }) {
        const shown = app.healthChecks.filter(
          ({ isPrivate }) => !isPrivate || user === app.localCaller.user,
        )
        return { status: 200, body: { checks: await examine(shown) } }
      },
    }),
  ]
}
