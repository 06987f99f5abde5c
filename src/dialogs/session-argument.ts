import * as z from 'zod'

export const sessionId = z
  .string('sessionId must be a text')
  .refine((id) => id.length > 0 && id.length <= 500, 'sessionId must have 1 to 500 characters')
  .optional()
  .describe('Dialog; this one if omitted')
