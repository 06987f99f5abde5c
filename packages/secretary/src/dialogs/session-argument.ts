import * as z from 'zod'

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
