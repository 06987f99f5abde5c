import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { route } from './route.ts'

const sharedPath = z.string().min(1).max(500).describe('Its path, as the guide shows it')
const before = z
  .string()
  .max(40)
  .describe('The time of the copy that the person saw, null for none; refused if changed')
const seenOf = ({ before: updatedAt }: { readonly before?: string | null }) =>
  updatedAt === undefined ? undefined : { updatedAt }

/** Copies of documents that a space has in common. */
export function spaceDocumentRoutes({ guide }: App) {
  return [
    route({
      method: 'get',
      path: '/api/v1/spaces/{space}/documents',
      tag: 'spaces',
      summary: 'Documents that a space has in common',
      answers: {
        200: z.object({
          documents: z.array(
            z.object({ path: z.string(), author: z.string(), updatedAt: z.string() }),
          ),
        }),
        404: undefined,
      },
      handle: async ({ caller, params }) => ({
        status: 200,
        body: { documents: await guide.documentSharing.list(caller, params.space) },
      }),
    }),
    route({
      method: 'put',
      path: '/api/v1/spaces/{space}/documents',
      tag: 'spaces',
      summary: 'Share a copy of a document, or bring the copy up to date; members only',
      body: z.strictObject({ path: sharedPath, before: before.nullable().optional() }),
      answers: { 204: undefined, 403: undefined, 404: undefined, 409: undefined },
      async handle({ caller, params, body }) {
        const seen = seenOf(body)
        await guide.documentSharing.share(caller, body.path, params.space, seen)
        return { status: 204 }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/spaces/{space}/documents',
      tag: 'spaces',
      summary: "Stop sharing a document; others' only as an operator of the space",
      query: z.object({ path: sharedPath, before: before.optional() }),
      answers: { 204: undefined, 404: undefined, 409: undefined },
      async handle({ caller, params, query }) {
        const seen = seenOf(query)
        await guide.documentSharing.unshare(caller, query.path, params.space, seen)
        return { status: 204 }
      },
    }),
  ]
}
