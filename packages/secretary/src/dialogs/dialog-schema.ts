import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'

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
