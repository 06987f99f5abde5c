import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { priceTable } from '../../usage/prices.ts'
import { route } from './route.ts'

const tokens = {
  answers: z.int().describe('Answers of a model'),
  input: z.int().describe('Tokens sent, without what came from the cache'),
  output: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
  cost: z.number().optional().describe('By your prices; absent if a model has none'),
}

/** What agents' models took, and what it cost by the person's own prices. */
export function usageRoutes({ tokenUsage, prices, localCaller }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/usage',
      tag: 'dialogs',
      summary: 'Tokens by day, agent and model, in any project, as the agents’ files say',
      query: z.object({
        since: z
          .string()
          .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-01-31')
          .describe('First day'),
      }),
      answers: {
        200: z.object({
          rows: z.array(
            z.object({
              day: z.string(),
              source: z.enum(SOURCE_NAMES),
              model: z.string(),
              ...tokens,
            }),
          ),
          currency: z.string(),
        }),
      },
      async handle({ caller, query, signal }) {
        const rows = await tokenUsage.rows(caller, query.since, signal)
        return { status: 200, body: { rows, currency: prices.read().currency } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/usage',
      tag: 'dialogs',
      summary: 'Tokens of a dialog, and of each of its requests',
      query: z.object({ session: z.string().min(1).max(500).describe('Dialog') }),
      answers: {
        200: z.object({
          requests: z.array(z.object({ index: z.int(), ...tokens })),
          total: z.object(tokens),
          currency: z.string(),
        }),
        404: undefined,
      },
      async handle({ caller, query, signal }) {
        const found = await tokenUsage.ofDialog(caller, query.session, signal)
        return { status: 200, body: { ...found, currency: prices.read().currency } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/prices',
      tag: 'dialogs',
      summary: 'What you pay for a million tokens of each model',
      answers: { 200: priceTable, 403: undefined },
      async handle({ caller }) {
        if (caller.user !== localCaller.user) return notYours
        return { status: 200, body: prices.read() }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/prices',
      tag: 'dialogs',
      summary: 'Set what you pay',
      body: priceTable,
      answers: { 200: priceTable, 403: undefined },
      async handle({ caller, body }) {
        if (caller.user !== localCaller.user) return notYours
        prices.write(body)
        return { status: 200, body }
      },
    }),
  ]
}

const notYours = {
  status: 403 as const,
  body: { error: 'forbidden', message: 'Prices belong to the owner of this machine' },
}
