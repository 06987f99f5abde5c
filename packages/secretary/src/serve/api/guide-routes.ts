import { Failure } from '@secretary-mcp/core/failure.ts'
import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'
import type { App } from '../../app/app.ts'
import { flagValue } from '../../guide/flag-value.ts'
import { flagAnswer } from '../../guide/schemas.ts'
import type { TrustReview } from '../../guide/trust-review.ts'
import { route } from './route.ts'

const state = z.object({
  project: z.string(),
  trusted: z.boolean().describe('Whether the documents in its .guide folder are all used'),
  untrusted: z.array(z.string()).describe('Paths of those that are not'),
  documents: z
    .array(
      z.object({
        path: z.string(),
        state: z.enum(['new', 'changed']).describe('Changed since it was trusted'),
        change: z.string().describe('Lines that come and go; all lines of a new one'),
      }),
    )
    .describe('What they say'),
  version: z.string().describe('Another one whenever one of those changes'),
})
const path = z.string().min(1).max(200).describe('Place in the docroot, such as lang/zig.md')
const version = z.string().optional().describe('The one that the person saw; refused if changed')
const saved = z.object({ document: z.string(), message: z.string() })
const MAX_RULES = 100
/** Characters shown of one document; its file has the rest. */
const MAX_CHANGE = 100_000
const CUT = '@@ The rest is in the file itself.'
const PROJECT_RULES = 'project'

/** What a person does with the rules. No tool does it: an agent must not trust or write on a person's behalf. */
export function guideRoutes({ guide }: App) {
  const stateOf = async (caller: Caller) => {
    return shownState(caller.project, await guide.reviewDocuments(caller))
  }
  const shownState = (project: string, { documents, version }: TrustReview) => ({
    project,
    trusted: documents.length === 0 && guide.trusted.has(project),
    untrusted: documents.map(({ path }) => path),
    documents: documents.map(({ path, state, change }) => ({
      path,
      state,
      change: change.length > MAX_CHANGE ? `${change.slice(0, MAX_CHANGE)}\n${CUT}` : change,
    })),
    version,
  })
  const requireOperator = ({ role }: Caller, what: string) => {
    if (role !== 'operator') throw new Failure('forbidden', `Only an operator may ${what}`)
  }
  return [
    route({
      method: 'get',
      path: '/api/v1/guide/trust',
      tag: 'guide',
      summary:
        'Whether the documents of the .guide folder are trusted, and what those say that are not',
      answers: { 200: state },
      handle: async ({ caller }) => ({ status: 200, body: await stateOf(caller) }),
    }),
    route({
      method: 'put',
      path: '/api/v1/guide/trust',
      tag: 'guide',
      summary: 'Trust the documents of the .guide folder as they are now, or none; operators only',
      body: z.object({ trusted: z.boolean().describe('Obey it'), version }),
      answers: { 200: state, 403: undefined, 409: undefined },
      async handle({ caller, body }) {
        requireOperator(caller, 'trust the rules of a project')
        const seen = body.trusted ? body.version : undefined
        const { documents, version: now } = await guide.reviewDocuments(caller)
        if (seen !== undefined && documents.length > 0 && seen !== now)
          throw new Failure(
            'changed_meanwhile',
            'These rules have changed since you saw them; read them again before you trust them',
          )
        if (body.trusted) guide.trusted.trust(caller.project, documents)
        else guide.trusted.revoke(caller.project)
        return { status: 200, body: await stateOf(caller) }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/guide/document',
      tag: 'guide',
      summary: 'A document as it is written, and the one that came with Secretary',
      query: z.object({ path }),
      answers: {
        200: z.object({
          path: z.string(),
          layer: z.enum(['project', 'user', 'shipped', 'space']).describe('Whose it is'),
          text: z.string(),
          version: z.string().describe('Another one for every other text'),
          shipped: z.string().optional().describe('The one that came with Secretary'),
        }),
        404: undefined,
      },
      async handle({ caller, query }) {
        const found = await guide.documentSource(caller, query.path)
        if (!found) throw new Failure('not_found', `There is no document ${query.path}`)
        return { status: 200, body: found }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/guide/document',
      tag: 'guide',
      summary: 'Write a document of the person’s docroot; operators only',
      body: z.object({
        path,
        content: z.string().max(1_000_000),
        isNew: z.boolean().optional(),
        version,
      }),
      answers: { 200: saved, 403: undefined, 404: undefined, 409: undefined },
      async handle({ caller, body }) {
        requireOperator(caller, 'write documents')
        if (body.version) await guide.requireVersion(caller, body.path, body.version)
        const write = body.isNew ? 'createDocument' : 'updateDocument'
        const { value, message = '' } = await guide[write](caller, body.path, body.content)
        return { status: 200, body: { document: value?.document ?? body.path, message } }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/guide/document',
      tag: 'guide',
      summary: 'Remove a document of the person’s docroot; operators only',
      query: z.object({ path, version }),
      answers: { 200: saved, 403: undefined, 404: undefined, 409: undefined },
      async handle({ caller, query }) {
        requireOperator(caller, 'remove documents')
        if (query.version) await guide.requireVersion(caller, query.path, query.version)
        const { value, message = '' } = await guide.removeDocument(caller, query.path)
        return { status: 200, body: { document: value?.document ?? query.path, message } }
      },
    }),
    route({
      method: 'put',
      path: '/api/v1/guide/profiles/{name}',
      tag: 'guide',
      summary: 'Use a profile in the project or stop using it; operators only',
      body: z.object({ used: z.boolean() }),
      answers: { 200: z.object({ used: z.boolean() }), 403: undefined, 404: undefined },
      async handle({ caller, params, body: { used } }) {
        requireOperator(caller, 'choose profiles')
        const change = used ? 'useProfile' : 'dropProfile'
        await guide.projects[change](caller, params.name)
        return { status: 200, body: { used } }
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/guide/received',
      tag: 'guide',
      summary: 'What an agent gets here: the rules in force, in words and tokens',
      answers: {
        200: z.object({
          rules: z.array(z.object({ uri: z.string(), title: z.string(), line: z.string() })),
          total: z.int(),
          words: z.int(),
          tokens: z.int().describe('Estimated'),
        }),
      },
      async handle({ caller }) {
        const { rules, total } = await guide.rulesInForce(caller, MAX_RULES)
        const { collections } = await guide.open(caller)
        const text = collections.has(PROJECT_RULES)
          ? ((await guide.content(caller, { expression: PROJECT_RULES })).value?.content ?? '')
          : ''
        const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
        return {
          status: 200,
          body: { rules: [...rules], total, words, tokens: estimateTokens(text) },
        }
      },
    }),
  ]
}

/** Flags as a person sets them, who sees what they replace; agents set them with a tool. */
export function flagRoutes({ guide }: App) {
  return [
    route({
      method: 'put',
      path: '/api/v1/guide/flags/{name}',
      tag: 'guide',
      summary: 'Set or remove a flag of this project, if it still is what the person saw',
      body: z.strictObject({
        value: flagValue.nullable().describe('null removes it'),
        before: flagValue
          .nullable()
          .describe('The value that the person saw, null for none; refused if changed'),
      }),
      answers: { 200: flagAnswer, 400: undefined, 409: undefined },
      handle: async ({ caller, params, body: { value, before } }) => ({
        status: 200,
        body: await guide.flags.changeProject(caller, params.name, { before, after: value }),
      }),
    }),
  ]
}

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
