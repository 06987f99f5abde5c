import { Family } from '@secretary-mcp/core/family.ts'
import type { Result } from '@secretary-mcp/core/result.ts'
import type { Guide } from './guide.ts'

/** The whole Result; the tools carry the default prefix. */
export const guideFamily = new Family<Guide>({
  name: 'guide',
  envelope: (result) => ({
    body: { ...result.toJson(), ...withheld(result) },
    isError: !result.success,
  }),
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

/** The usual advice to correct the arguments would have an agent give the person's consent by itself. */
function withheld({ issues }: Result): { instruction?: string } {
  return issues?.some(({ path }) => path === 'consent')
    ? {
        instruction: 'Nothing was changed. Ask the person; fill in consent only after they agree.',
      }
    : {}
}
