import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { route } from './route.ts'

const dialogInSpace = z.object({
  sessionId: z.string(),
  by: z.string().describe('Who shares it'),
  space: z.string(),
  source: z.enum(SOURCE_NAMES),
  requests: z.int(),
  lastAskedAt: z.string(),
  sharedAt: z.string(),
})
const spaceBody = z.strictObject({ space: z.string().min(1).max(100).describe('Its name or id') })

/** Requests with their deeds in spaces. Sharing is the person's to do: no tool shares a dialog. */
export function requestSharingRoutes({ requestSharing }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/spaces/{space}/requests',
      tag: 'spaces',
      summary: 'Dialogs that people share with a space, the latest first',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(500).default(100).describe('Maximum'),
        offset: z.coerce.number().int().min(0).default(0).describe('Number to skip'),
      }),
      answers: {
        200: z.object({ dialogs: z.array(dialogInSpace), total: z.int() }),
        404: undefined,
      },
      handle: async ({ caller, params, query }) => ({
        status: 200,
        body: await requestSharing.inSpace(caller, params.space, query),
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/spaces/{space}/requests/{session}',
      tag: 'spaces',
      summary: 'Remove a dialog that somebody shares with a space; operators of the space only',
      query: z.object({ by: z.string().min(1).max(200).describe('Who shares it') }),
      answers: { 204: undefined, 403: undefined, 404: undefined },
      async handle({ caller, params: { space, session }, query: { by } }) {
        await requestSharing.remove(caller, { sessionId: session, space, by })
        return { status: 204 }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/request-sharing',
      tag: 'spaces',
      summary: 'Dialogs that you share, and projects whose later dialogs you share',
      answers: {
        200: z.object({
          dialogs: z.array(dialogInSpace),
          standing: z.array(
            z.object({
              space: z.string(),
              since: z.string(),
              here: z.boolean().describe('It is this server’s project'),
            }),
          ),
        }),
      },
      async handle({ caller }) {
        const { dialogs, standing } = await requestSharing.sharedBy(caller)
        const shown = standing.map(({ space, since, here }) => ({ space, since, here }))
        return { status: 200, body: { dialogs, standing: shown } }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/request-sharing',
      tag: 'spaces',
      summary: 'Share your later dialogs of this project with a space, as they are read',
      body: spaceBody,
      answers: { 204: undefined, 403: undefined, 404: undefined },
      async handle({ caller, body }) {
        await requestSharing.keepSharing(caller, body.space)
        return { status: 204 }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/request-sharing/{space}',
      tag: 'spaces',
      summary: 'Share no more dialogs of this project with a space',
      query: z.object({
        remove: z
          .enum(['true', 'false'])
          .default('false')
          .describe('Also take back what you shared of this project'),
      }),
      answers: { 204: undefined, 404: undefined },
      async handle({ caller, params, query }) {
        const options = { isRemoved: query.remove === 'true' }
        await requestSharing.stopSharing(caller, params.space, options)
        return { status: 204 }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/request-sharing/dialogs/{session}',
      tag: 'spaces',
      summary: 'Share a dialog of your own, as it is now, with a space',
      body: spaceBody,
      answers: {
        200: z.object({ sessionId: z.string(), space: z.string(), requests: z.int() }),
        403: undefined,
        404: undefined,
        409: undefined,
      },
      handle: async ({ caller, params, body, signal }) => ({
        status: 200,
        body: await requestSharing.share(caller, params.session, body.space, signal),
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/request-sharing/dialogs/{session}',
      tag: 'spaces',
      summary: 'Stop sharing a dialog, with one space or with all',
      query: z.object({
        space: z.string().min(1).max(100).optional().describe('Its name or id; all if omitted'),
      }),
      answers: { 204: undefined, 404: undefined },
      async handle({ caller, params, query }) {
        await requestSharing.takeBack(caller, params.session, query.space)
        return { status: 204 }
      },
    }),
  ]
}
