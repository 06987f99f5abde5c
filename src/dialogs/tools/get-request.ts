// Template: ./README.md
import * as z from 'zod'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { dialogsFamily } from '../family.ts'
import { sessionId } from '../session-argument.ts'

export const getRequest = dialogsFamily.tool({
  name: 'get_request',
  title: 'Get a request',
  effect: 'read',
  description: `Get a user request by position
Use this tool when: you need the person's exact words, or their Nth request
Parameters: index (1 = first), sessionId (optional)
Returns: {"success":true,"sessionId":"abc","request":"full text","index":2,"timestamp":1768490500000,"totalRequests":5}
Example usage scenarios: {"index":2} in this dialog, {"index":3,"sessionId":"abc"} in another`,
  arguments: new ToolArguments({
    index: z
      .number({
        error: ({ input }) =>
          input === undefined || input === null
            ? 'Index parameter is required'
            : 'Index must be a whole number',
      })
      // Not z.int: it refuses huge numbers, which merely exceed the total.
      .refine(Number.isInteger, 'Index must be a whole number')
      .min(1, 'Index must be 1 or greater')
      .meta({ type: 'integer', description: 'From 1' }),
    sessionId,
  }),
  examples: [
    { args: { index: 2 }, shows: 'the 2nd request of the current dialog' },
    { args: { index: 3, sessionId: 'abc' }, shows: 'the 3rd of another dialog' },
  ],
  result: z.object({
    sessionId: z.string(),
    request: z.string(),
    index: z.int(),
    timestamp: z.number(),
    totalRequests: z.int(),
  }),
  run: ({ index, sessionId }, { service, caller, signal }) =>
    service.getRequest(caller, index, sessionId, signal),
})
