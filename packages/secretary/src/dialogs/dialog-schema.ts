import { Failure } from '@secretary-mcp/core/failure.ts'
import { type Dialog, type ShownDialog, settled } from '@secretary-mcp/transcripts/dialog.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'

const MAX_REQUEST = 2_000_000

/** There where the agent's file is gone, and the words come from what was kept. */
export const fileGone = z.literal(true).optional()

/** Of a request that somebody shares: the space and who it was. */
export const fromSpace = { space: z.string().optional(), by: z.string().optional() }

/** What an answer lacks as long as dialogs are being read. */
export const unreadNote = z.string().optional()

/** A dialog as callers see it, from the tools and over HTTP alike. */
export const dialogSchema = z.object({
  sessionId: z.string(),
  source: z.enum(SOURCE_NAMES),
  project: z.string().optional(),
  title: z.string().optional(),
  firstSeen: z.number(),
  lastSeen: z.number(),
  requestsCount: z.int(),
  status: z.string(),
  firstRequestPreview: z.string().optional(),
  agentId: z.string().optional(),
  modelId: z.string().optional(),
  chatJsonPath: z.string().optional(),
  fileGone,
  archived: z.literal(true).optional(),
})

/** A request that was found, as callers see it. */
export const foundRequest = z.object({
  sessionId: z.string(),
  source: z.string(),
  index: z.int(),
  timestamp: z.number(),
  request: z.string(),
  answers: z.string().optional(),
  score: z.number(),
  ...fromSpace,
})
export type FoundRequest = z.output<typeof foundRequest>

/** Some clients fill in every argument: nothing in it means the same as leaving it out. */
export const sessionId = z
  .preprocess(
    (id) => (id === null || (typeof id === 'string' && id.trim() === '') ? undefined : id),
    z
      .string('sessionId must be a string')
      .refine((id) => id.length <= 500, 'sessionId must have at most 500 characters')
      .optional(),
  )
  .describe('Dialog; this one if omitted')

/** Said where an answer comes from what was kept, because the agent's own file is no longer there. */
export function goneFile({ chatJsonPath }: Pick<Dialog, 'chatJsonPath'>): { fileGone?: true } {
  return chatJsonPath === undefined ? { fileGone: true } : {}
}

export function noChatData(): Failure {
  return new Failure('not_found', 'Chat data not available for session')
}

export function noActiveDialog(): Failure {
  return new Failure('not_found', 'No active dialog found')
}

export function unknownSource(): Failure {
  return new Failure('validation_error', `source must be one of ${SOURCE_NAMES.join(', ')}`)
}

/** In full, up to what no client could take. */
export function bounded(request: string): string {
  if (request.length <= MAX_REQUEST) return request
  return `${cutText(request, MAX_REQUEST)}\n[cut: ${request.length} characters; \`secretary dialogs export\` has the rest]`
}

/** As callers see it; a project that its source knows only by a hash goes by its folder where that is the caller's. */
export function described(known: Dialog, names: readonly string[] = []): ShownDialog {
  const { key: _key, size: _size, mtimeMs: _mtimeMs, ...dialog } = settled(known)
  const isHash =
    dialog.project !== undefined && dialog.project !== names[0] && names.includes(dialog.project)
  const shown = isHash ? { ...dialog, project: names[0] } : dialog
  return { ...shown, ...goneFile(dialog) }
}
