import { queryWords } from '@secretary-mcp/core/excerpt.ts'
import { unwrap } from '@secretary-mcp/core/failure.ts'
import { titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { dialogSchema, foundRequest, unreadNote } from '../../dialogs/dialog-schema.ts'
import { pinSchema } from '../../dialogs/pins/pins.ts'
import { answersFromSpace, threadFromSpace } from '../../dialogs/sharing/read-from-space.ts'
import { pinAnswer } from '../../dialogs/tools/pin-request.ts'
import { aroundHit, withoutMarks } from '../../find/find.ts'
import { route } from './route.ts'

const page = {
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Maximum number to return'),
  offset: z.coerce.number().int().min(0).default(0).describe('Number to skip'),
}
const moment = z.coerce.number().int().min(0).optional()
const filter = {
  source: z.string().max(100).optional().describe('Agent'),
  project: z.string().max(4096).optional().describe('Folder of the project'),
  since: moment.describe('Last request at or after this time, in milliseconds'),
  until: moment.describe('Last request at or before this time, in milliseconds'),
}
const MAX_REQUEST = 200_000
const MAX_ANSWER = 200_000

/** Dialogs for a person who looks around: all projects, and requests in full. */
export function dialogRoutes({ dialogs }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/dialogs',
      tag: 'dialogs',
      summary: 'Dialogs with any agent in any project, newest first',
      query: z.object({ ...filter, ...page }),
      answers: {
        200: z.object({
          dialogs: z.array(dialogSchema),
          total: z.int(),
          limit: z.int(),
          offset: z.int(),
          note: unreadNote,
        }),
      },
      async handle({ caller, query, signal }) {
        const found = await dialogs.browse(caller, query, signal)
        const { limit, offset } = query
        return { status: 200, body: { ...found, limit, offset } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/search',
      tag: 'dialogs',
      summary: 'Requests by their words, in the dialogs that match the filters',
      query: z.object({
        query: z.string().trim().min(1).max(500).describe('Words'),
        ...filter,
        limit: page.limit,
      }),
      answers: {
        200: z.object({
          results: z.array(foundRequest.extend({ project: z.string().optional() })),
          note: unreadNote,
        }),
      },
      handle: async ({ caller, query, signal }) => ({
        status: 200,
        body: await dialogs.searchBrowsed(caller, query, signal),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/facets',
      tag: 'dialogs',
      summary: 'Agents and projects that have a dialog',
      answers: { 200: z.object({ sources: z.array(z.string()), projects: z.array(z.string()) }) },
      handle: async ({ caller }) => ({ status: 200, body: await dialogs.facets(caller) }),
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/thread',
      tag: 'dialogs',
      summary: 'A dialog’s requests in full, numbered as get_request numbers them',
      query: z.object({ session: z.string().min(1).max(500).describe('Dialog'), ...page }),
      answers: {
        200: z.object({
          dialog: dialogSchema,
          revision: z.string().describe('Changes whenever the dialog does'),
          requests: z.array(
            z.object({
              index: z.int(),
              timestamp: z.number(),
              request: z.string(),
              title: z.string().describe('The request in one line'),
              isTitleApart: z
                .literal(true)
                .optional()
                .describe('The request does not begin with its title'),
              answers: z.string().optional().describe('The question that a bare reply answers'),
            }),
          ),
          total: z.int(),
        }),
        404: undefined,
      },
      async handle({ caller, query: { session, limit, offset }, signal }) {
        const shared = await dialogs.fromSpace(caller, session, signal)
        if (shared) return { status: 200, body: threadFromSpace(shared, { limit, offset }) }
        const picked = await dialogs.require(caller, session, signal)
        const marks = await dialogs.texts.marks(picked)
        const requests = []
        for (const [place, mark] of marks.slice(offset, offset + limit).entries()) {
          signal.throwIfAborted()
          // Where the file is gone, the index still knows how each request began.
          const index = offset + place + 1
          const { request = mark.preview, answers } = await dialogs.texts.asked(
            picked,
            marks,
            index,
          )
          const timestamp = mark.time ?? picked.firstSeen
          requests.push({
            ...{ index, timestamp, request: bounded(request) },
            title: mark.title ?? titleOf(request),
            ...(mark.title ? { isTitleApart: true as const } : {}),
            ...(answers ? { answers } : {}),
          })
        }
        const dialog = await dialogs.shown(picked)
        const revision = `${picked.size}-${picked.mtimeMs}`
        return {
          status: 200,
          body: { dialog, revision, requests, total: marks.length },
        }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/find',
      tag: 'dialogs',
      summary: 'Requests and answers of a dialog that hold all the words',
      query: z.object({
        session: z.string().min(1).max(500).describe('Dialog'),
        query: z.string().trim().min(1).max(200).describe('Words'),
      }),
      answers: {
        200: z.object({
          hits: z.array(
            z.object({
              index: z.int(),
              part: z.enum(['request', 'answer']),
              text: z.string().describe('Around the first of the words'),
            }),
          ),
        }),
        404: undefined,
      },
      async handle({ caller, query: { session, query }, signal }) {
        const shared = await dialogs.fromSpace(caller, session, signal)
        const turns =
          shared ??
          dialogs.texts.turns(await dialogs.require(caller, session, signal), {
            longestAnswer: MAX_ANSWER,
          })
        const found = await findInDialog(turns, query, signal)
        const hits = found.map((hit) => ({
          ...hit,
          text: aroundHit(withoutMarks(hit.text), query),
        }))
        return { status: 200, body: { hits } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/dialogs/answers',
      tag: 'dialogs',
      summary: 'What the agent said last to each request, with the request’s number',
      query: z.object({
        session: z.string().min(1).max(500).describe('Dialog'),
        longest: z.coerce
          .number()
          .int()
          .min(1)
          .max(MAX_ANSWER)
          .default(4000)
          .describe('Characters of an answer'),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(50)
          .default(10)
          .describe('Maximum number of requests'),
        offset: page.offset,
      }),
      answers: {
        200: z.object({
          answers: z.array(
            z.object({
              index: z.int(),
              answer: z.string(),
              length: z.int().describe('Characters of the whole answer'),
            }),
          ),
        }),
        404: undefined,
      },
      async handle({ caller, query: { session, longest, limit, offset }, signal }) {
        const shared = await dialogs.fromSpace(caller, session, signal)
        if (shared)
          return {
            status: 200,
            body: { answers: answersFromSpace(shared, { longest, limit, offset }) },
          }
        const picked = await dialogs.require(caller, session, signal)
        const answers = []
        for await (const turn of dialogs.texts.turns(picked, {
          from: offset + 1,
          to: offset + limit,
          longestAnswer: longest,
        })) {
          signal.throwIfAborted()
          const { position: index, answer, answerLength } = turn
          if (answer !== undefined)
            answers.push({ index, answer, length: answerLength ?? answer.length })
        }
        return { status: 200, body: { answers } }
      },
    }),
  ]
}

function bounded(text: string): string {
  return text.length > MAX_REQUEST
    ? `${text.slice(0, MAX_REQUEST)}\n… ${text.length - MAX_REQUEST} more characters; get_request gives them all`
    : text
}

/** What the person pinned, for the page and the editor. */
export function pinRoutes({ dialogs }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/pins',
      tag: 'dialogs',
      summary: 'What is pinned in this project, newest first',
      answers: { 200: z.object({ pins: z.array(pinSchema) }) },
      handle: async ({ caller }) => ({
        status: 200,
        body: { pins: await dialogs.pins.list(caller) },
      }),
    }),
    route({
      method: 'post',
      path: '/api/v1/pins',
      tag: 'dialogs',
      summary: 'Pin a request, or a sentence of it',
      body: z.object({
        sessionId: z.string().min(1).max(500).optional().describe('Dialog'),
        index: z.int().min(1).optional().describe('Position of the request, starting at 1'),
        text: z.string().min(1).max(1000).optional().describe('The sentence, as it was typed'),
      }),
      answers: { 200: pinAnswer, 404: undefined },
      handle: async ({ caller, body, signal }) => ({
        status: 200,
        body: unwrap(await dialogs.pins.pin(caller, body, signal)),
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/pins/{id}',
      tag: 'dialogs',
      summary: 'Remove a pin',
      answers: { 200: z.object({ pin: pinSchema }), 404: undefined },
      handle: async ({ caller, params }) => ({
        status: 200,
        body: unwrap(await dialogs.pins.unpin(caller, Number(params.id) || 0)),
      }),
    }),
  ]
}

const MAX_HITS = 50

interface TextOfTurn {
  readonly position: number
  readonly request: string
  readonly answer?: string
}

interface TextHit {
  readonly index: number
  readonly part: 'request' | 'answer'
  readonly text: string
}

/** Requests and answers that hold all the words, in order. */
export async function findInDialog(
  turns: AsyncIterable<TextOfTurn> | Iterable<TextOfTurn>,
  query: string,
  signal: AbortSignal,
): Promise<TextHit[]> {
  const words = queryWords(query)
  const hits: TextHit[] = []
  if (words.length === 0) return hits
  const holdsAll = (text: string) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
  for await (const { position: index, request, answer = '' } of turns) {
    signal.throwIfAborted()
    if (holdsAll(request)) hits.push({ index, part: 'request', text: request })
    if (holdsAll(answer)) hits.push({ index, part: 'answer', text: answer })
    if (hits.length >= MAX_HITS) break
  }
  return hits.slice(0, MAX_HITS)
}
