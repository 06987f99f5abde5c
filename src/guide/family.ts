import { Family } from '../core/family.ts'
import type { Guide } from './guide.ts'

/** The Result as seed 002 writes it; the tools carry the default prefix. */
export const guideFamily = new Family<Guide>({
  name: 'guide',
  envelope: (result) => ({ body: result.toJson(), isError: !result.success }),
  outputSchema: (value) => ({
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      value,
      error: { type: 'string' },
      error_type: { type: 'string' },
      message: { type: 'string' },
      instruction: { type: 'string' },
    },
    required: ['success'],
  }),
})
