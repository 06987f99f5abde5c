import { Family } from '@secretary-mcp/core/family.ts'
import type { Dialogs } from './dialogs.ts'

/** `{success, …value}` or `{success, error}`; an exception is `{isError, message}`. */
export const dialogsFamily = new Family<Dialogs>({
  name: 'dialogs',
  prefix: 'copilot_chat_secretary',
  envelope: (result) => {
    if (result.success)
      return { body: { success: true, ...(result.value as object) }, isError: false }
    if (result.errorType === 'unexpected_error')
      return { body: { isError: true, message: result.error }, isError: true }
    const error = result.errorType?.startsWith('storage_')
      ? 'Service temporarily unavailable'
      : result.error
    return { body: { success: false, error }, isError: true }
  },
  outputSchema: (value) => ({
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      ...(value.properties as object),
      error: { type: 'string' },
    },
    required: ['success'],
  }),
})
