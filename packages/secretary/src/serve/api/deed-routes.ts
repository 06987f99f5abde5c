import { unwrap } from '@secretary-mcp/core/failure.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import { COMMAND_KINDS, DEED_KINDS } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { RECEIVERS } from '../../dialogs/handoff/agent-commands.ts'
import { HANDOFF_BUDGET, handoff } from '../../dialogs/handoff/handoff.ts'
import { DOUBTS, STATES } from '../../dialogs/ledger/ledger-entry.ts'
import { DEFAULT_BUDGET } from '../../dialogs/recall/compose-recall.ts'
import { fixAnswer } from '../../dialogs/tools/fix.ts'
import { howAnswer } from '../../dialogs/tools/how.ts'
import { ledgerAnswer } from '../../dialogs/tools/ledger.ts'
import { recallAnswer } from '../../dialogs/tools/recall.ts'
import { whyAnswer } from '../../dialogs/tools/why.ts'
import { route } from './route.ts'

const session = z.string().min(1).max(500).optional().describe('Dialog; the current one if omitted')
const line = z.coerce.number().int().min(1)
const budget = (tokens: number) =>
  z.coerce.number().int().min(200).max(50_000).default(tokens).describe('Most tokens')

const work = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(DEED_KINDS),
      plus: z.int(),
      minus: z.int(),
      diff: z.string().optional().describe('Lines with + and -'),
    }),
  ),
  commands: z.array(
    z.object({
      command: z.string(),
      kind: z.enum(COMMAND_KINDS),
      at: z.number(),
      exit: z.int().optional().describe('Absent where nobody saw it end'),
      tail: z.string().optional().describe('Last lines of a failure'),
    }),
  ),
})

/** What happened to requests, and how to go on from them. */
export function deedRoutes({ dialogs }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/dialogs/why',
      tag: 'dialogs',
      summary: 'The requests that led to lines of a file',
      query: z.object({
        file: z.string().min(1).max(1000).describe('Path in the project'),
        line: line.describe('From 1'),
        endLine: line.optional().describe('Last line'),
      }),
      answers: { 200: whyAnswer, 404: undefined },
      handle: async ({ caller, query, signal }) => ({
        status: 200,
        body: unwrap(await dialogs.deeds.why(caller, query, signal)),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/touching',
      tag: 'dialogs',
      summary: 'The requests for which a file of the project was changed, the latest first',
      query: z.object({ file: z.string().min(1).max(1000).describe('Path in the project') }),
      answers: {
        200: z.object({
          requests: z.array(
            z.object({
              sessionId: z.string(),
              source: z.enum(SOURCE_NAMES),
              index: z.int(),
              timestamp: z.number(),
              title: z.string(),
            }),
          ),
        }),
      },
      async handle({ caller, query: { file }, signal }) {
        const found = await dialogs.deeds.requestsOfFile(caller, file, signal)
        const requests = found.map(({ sessionId, source, index, timestamp, request }) => ({
          ...{ sessionId, source, index, timestamp },
          title: titleOf(request),
        }))
        return { status: 200, body: { requests } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/ledger',
      tag: 'dialogs',
      summary: 'What happened to each request of a dialog',
      query: z.object({
        session,
        index: line.optional().describe('One request'),
        state: z
          .enum([...STATES, ...DOUBTS])
          .optional()
          .describe('Only these'),
        limit: z.coerce.number().int().min(1).max(100).default(20).describe('At most this many'),
        offset: z.coerce.number().int().min(0).default(0).describe('Skip this many'),
      }),
      answers: { 200: ledgerAnswer, 404: undefined },
      handle: async ({ caller, query: { session: sessionId, ...rest }, signal }) => ({
        status: 200,
        body: unwrap(await dialogs.deeds.ledger(caller, { sessionId, ...rest }, signal)),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/work',
      tag: 'dialogs',
      summary:
        'Every change and command of one request, with diffs where the agent’s file has them',
      query: z.object({
        session: z.string().min(1).max(500).describe('Dialog'),
        index: line.describe('Its request, from 1'),
      }),
      answers: { 200: work, 404: undefined },
      handle: async ({ caller, query: { session: sessionId, index }, signal }) => ({
        status: 200,
        body: await dialogs.deeds.work(caller, { sessionId, index }, signal),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/how',
      tag: 'dialogs',
      summary: 'Commands that worked in this project',
      query: z.object({
        what: z.string().trim().min(2).max(200).describe('Such as test, build, migrate'),
      }),
      answers: { 200: howAnswer },
      handle: async ({ caller, query, signal }) => ({
        status: 200,
        body: unwrap(await dialogs.deeds.how(caller, query.what, signal)),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/fix',
      tag: 'dialogs',
      summary: 'What was done after the same error before',
      query: z.object({ error: z.string().trim().min(3).max(4000).describe('The error message') }),
      answers: { 200: fixAnswer },
      handle: async ({ caller, query, signal }) => ({
        status: 200,
        body: unwrap(await dialogs.deeds.fix(caller, query.error, signal)),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/recall',
      tag: 'dialogs',
      summary: 'What was asked and where the work stands, within a budget of tokens',
      query: z.object({ session, budget: budget(DEFAULT_BUDGET) }),
      answers: { 200: recallAnswer, 404: undefined },
      handle: async ({ caller, query: { session: sessionId, ...rest }, signal }) => ({
        status: 200,
        body: unwrap(await dialogs.recall(caller, { sessionId, ...rest }, signal)),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/handoff',
      tag: 'dialogs',
      summary: 'A dialog as a prompt for another agent, and the command that starts it',
      query: z.object({
        session,
        to: z.enum(RECEIVERS).optional().describe('Agent'),
        budget: budget(HANDOFF_BUDGET),
      }),
      answers: {
        200: z.object({
          prompt: z.string(),
          sessionId: z.string().optional(),
          command: z.string().optional(),
        }),
        404: undefined,
      },
      handle: async ({ caller, query: { session: sessionId, ...rest }, signal }) => ({
        status: 200,
        body: await handoff(dialogs, caller, { sessionId, ...rest }, signal),
      }),
    }),
  ]
}
