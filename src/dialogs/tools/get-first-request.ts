// Template: ./README.md
import * as z from 'zod'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { dialogsFamily } from '../family.ts'
import { sessionId } from '../session-argument.ts'

export const getFirstRequest = dialogsFamily.tool({
  name: 'get_first_request',
  title: 'Get the first request',
  effect: 'read',
  description: `Get the first user request of a dialog
Use this tool when: you lost the original request to compression
Parameters: sessionId (optional)
Returns: {"success":true,"sessionId":"abc","firstRequest":"80 characters","timestamp":1768490000000,"requestsCount":5}
Example usage scenarios: no parameters for this dialog, {"sessionId":"abc"} for another`,
  arguments: new ToolArguments({ sessionId }),
  examples: [
    { args: {}, shows: 'how the current dialog began' },
    { args: { sessionId: 'abc' }, shows: 'how another one began' },
  ],
  result: z.object({
    sessionId: z.string(),
    firstRequest: z.string(),
    timestamp: z.number(),
    requestsCount: z.int(),
  }),
  run: ({ sessionId }, { service, caller, signal }) =>
    service.getFirstRequest(caller, sessionId, signal),
})
