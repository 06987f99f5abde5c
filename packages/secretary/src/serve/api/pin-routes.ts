import { unwrap } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { pinSchema } from '../../dialogs/pins/pins.ts'
import { pinAnswer } from '../../dialogs/tools/pin-request.ts'
import { route } from './route.ts'

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
