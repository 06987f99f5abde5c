import { Failure } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import {
  auditEntrySchema,
  invitationSchema,
  spaceMemberSchema,
  spaceName,
  spaceRole,
  spaceSchema,
  userName,
} from '../../spaces/spaces.ts'
import { route } from './route.ts'

const MAX_ENTRIES = 500
const SEEN = 'The role that the person saw; refused if changed'
const before = spaceRole.nullable().optional().describe(`${SEEN}. null for none`)

/** What groups share, and who belongs to them. A space is named by its id or by its name. */
export function spaceRoutes({ spaces }: App) {
  const userOf = (params: { readonly user: string }) => {
    const { success, data, error } = userName.safeParse(params.user)
    if (!success) throw new Failure('validation_error', error.issues[0]?.message ?? 'Invalid user')
    return data
  }
  return [
    route({
      method: 'get',
      path: '/api/v1/spaces',
      tag: 'spaces',
      summary: 'Spaces that you belong to',
      answers: { 200: z.object({ spaces: z.array(spaceSchema) }) },
      handle: async ({ caller }) => ({ status: 200, body: { spaces: await spaces.list(caller) } }),
    }),
    route({
      method: 'post',
      path: '/api/v1/spaces',
      tag: 'spaces',
      summary: 'Create a space; you become its operator',
      body: z.strictObject({
        name: spaceName,
        forProject: z
          .boolean()
          .optional()
          .describe(
            'For the team of this server’s project: nothing of other projects can be added',
          ),
      }),
      answers: { 201: z.object({ space: spaceSchema }), 409: undefined },
      async handle({ caller, body }) {
        const project = body.forProject ? caller.project : undefined
        return { status: 201, body: { space: await spaces.create(caller, body.name, project) } }
      },
    }),
    route({
      method: 'patch',
      path: '/api/v1/spaces/{space}',
      tag: 'spaces',
      summary: 'Rename a space; its operators only',
      body: z.strictObject({
        name: spaceName,
        before: z.string().optional().describe('The one that the person saw; refused if changed'),
      }),
      answers: {
        200: z.object({ space: spaceSchema }),
        403: undefined,
        404: undefined,
        409: undefined,
      },
      handle: async ({ caller, params, body }) => ({
        status: 200,
        body: { space: await spaces.rename(caller, params.space, body.name, body.before) },
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/spaces/{space}',
      tag: 'spaces',
      summary: 'Delete a space for good; its tasks go back to their owners; its operators only',
      answers: { 204: undefined, 403: undefined, 404: undefined },
      async handle({ caller, params }) {
        await spaces.remove(caller, params.space)
        return { status: 204 }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/spaces/{space}/members',
      tag: 'spaces',
      summary: 'Who belongs to a space or is invited; nobody is listed for the one of everybody',
      answers: {
        200: z.object({ members: z.array(spaceMemberSchema) }),
        404: undefined,
      },
      handle: async ({ caller, params }) => ({
        status: 200,
        body: { members: await spaces.members(caller, params.space) },
      }),
    }),
    route({
      method: 'put',
      path: '/api/v1/spaces/{space}/members/{user}',
      tag: 'spaces',
      summary:
        'Invite somebody to a space, who joins by accepting, or change their role; its operators only',
      body: z.strictObject({ role: spaceRole, before }),
      answers: { 204: undefined, 403: undefined, 404: undefined, 409: undefined },
      async handle({ caller, params, body }) {
        const change = { user: userOf(params), ...body }
        await spaces.changeMember(caller, params.space, change)
        return { status: 204 }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/spaces/{space}/members/{user}',
      tag: 'spaces',
      summary: 'Leave a space, or remove or uninvite somebody; the latter two its operators only',
      query: z.object({ before: spaceRole.optional().describe(SEEN) }),
      answers: { 204: undefined, 403: undefined, 404: undefined, 409: undefined },
      async handle({ caller, params, query }) {
        await spaces.changeMember(caller, params.space, { user: userOf(params), ...query })
        return { status: 204 }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/invitations',
      tag: 'spaces',
      summary: 'Spaces that you are invited to; nothing of them reaches you until you join',
      answers: { 200: z.object({ invitations: z.array(invitationSchema) }) },
      handle: async ({ caller }) => ({
        status: 200,
        body: { invitations: await spaces.invitations(caller) },
      }),
    }),
    route({
      method: 'post',
      path: '/api/v1/invitations/{space}',
      tag: 'spaces',
      summary: 'Join a space that you are invited to',
      answers: { 204: undefined, 404: undefined },
      async handle({ caller, params }) {
        await spaces.answerInvitation(caller, params.space, true)
        return { status: 204 }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/invitations/{space}',
      tag: 'spaces',
      summary: 'Decline an invitation to a space',
      answers: { 204: undefined, 404: undefined },
      async handle({ caller, params }) {
        await spaces.answerInvitation(caller, params.space, false)
        return { status: 204 }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/spaces/{space}/audit',
      tag: 'spaces',
      summary: 'Who changed what in a space, the latest first',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).default(100).describe('Maximum'),
        offset: z.coerce.number().int().min(0).default(0).describe('Number to skip'),
      }),
      answers: {
        200: z.object({ entries: z.array(auditEntrySchema), total: z.int() }),
        404: undefined,
      },
      handle: async ({ caller, params, query }) => ({
        status: 200,
        body: await spaces.audit(caller, params.space, query),
      }),
    }),
  ]
}
