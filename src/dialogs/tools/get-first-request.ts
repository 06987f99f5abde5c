// Template: ./README.md
import { z } from 'zod'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { dialogsFamily } from '../family.ts'
import { sessionId } from './session-argument.ts'

export const getFirstRequest = dialogsFamily.tool({
  name: 'get_first_request',
  title: 'Get the first request',
  effect: 'read',
  description: `Retrieves the first user request of a dialog.

Use this tool when:
- you need the original request after context compression
- they ask "what was my original question?"

Parameters: sessionId (optional)
Returns: {"success":true,"sessionId":"abc-123","firstRequest":"first 80 characters","timestamp":1768490000000,"requestsCount":5} or {"success":false,"error":"…"}
Example usage scenarios:
1. current dialog: no parameters
2. specific dialog: {"sessionId":"abc-123"}`,
  arguments: new ToolArguments({ sessionId }),
  examples: [
    { args: {}, shows: 'how the current dialog began' },
    { args: { sessionId: 'abc-123' }, shows: 'how another one began' },
  ],
  result: z.object({ sessionId: z.string(), firstRequest: z.string(), timestamp: z.number(), requestsCount: z.int() }),
  run: ({ sessionId }, { service, caller, signal }) => service.getFirstRequest(caller, sessionId, signal),
})
