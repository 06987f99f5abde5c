import * as z from 'zod'
import { SPACE_ROLES } from '../space.ts'

const CONTROL = /\p{Cc}/u

export const spaceName = z
  .string()
  .trim()
  .min(1, 'A name must not be empty')
  .max(50, 'A name must be at most 50 characters')
  .refine((name) => !CONTROL.test(name), 'A name must not contain control characters')

export const userName = z
  .string()
  .trim()
  .min(1, 'A user must not be empty')
  .max(200, 'A user must be at most 200 characters')
  .refine((name) => !CONTROL.test(name), 'A user must not contain control characters')

export const spaceRole = z.enum(SPACE_ROLES)

export const spaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z
    .string()
    .optional()
    .describe('Project whose team it is: where it is published, or its folder'),
  createdBy: z.string().optional(),
  createdAt: z.string(),
  role: spaceRole.describe('Your own'),
})

export const spaceMemberSchema = z.object({
  user: z.string(),
  role: spaceRole,
  isInvited: z.literal(true).optional().describe('Has not joined yet'),
})

export const invitationSchema = z.object({
  space: z.object({ id: z.string(), name: z.string(), project: z.string().optional() }),
  role: spaceRole.describe('Yours, once you join'),
  invitedBy: z.string(),
  invitedAt: z.string(),
})

export const auditEntrySchema = z.object({
  at: z.string(),
  user: z.string().describe('Who did it'),
  space: z.string(),
  action: z.string(),
  subject: z.object({
    kind: z.enum(['space', 'member', 'task', 'discovery', 'document', 'request']),
    id: z.string(),
  }),
  text: z.string().describe('Names of what changed, never a shared text'),
})
