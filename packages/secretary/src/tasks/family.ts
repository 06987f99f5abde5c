import { Family } from '@secretary-mcp/core/family.ts'
import type { Tasks } from './tasks.ts'

/** `{success, data, error}`, which clients rely on. */
export const tasksFamily = new Family<Tasks>({
  name: 'tasks',
  prefix: '',
  envelope: (result) =>
    result.success
      ? { body: { success: true, data: result.value }, isError: false }
      : { body: { success: false, error: result.error }, isError: true },
  outputSchema: (data) => ({
    type: 'object',
    properties: { success: { type: 'boolean' }, data, error: { type: 'string' } },
    required: ['success'],
  }),
})
