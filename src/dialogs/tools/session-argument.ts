import { z } from 'zod'

export const sessionId = z
  .string('sessionId must be a text')
  .min(1, 'sessionId must not be empty')
  .max(500, 'sessionId must be at most 500 characters')
  .optional()
  .describe('Dialog session ID; the current dialog if omitted')
