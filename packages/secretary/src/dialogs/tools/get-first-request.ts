// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { fromSpace, sessionId } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'

export const getFirstRequest = dialogsFamily.tool({
  name: 'get_first_request',
  title: 'Get the first request',
  effect: 'read',
  description:
    'Get the first request of a dialog.\nUse it when you no longer know what the work began with, as after a compaction.',
  about: `Retrieves the first user request from a Copilot Chat dialog.

**Use this tool when:**
- You need to recall the original user request after context compression
- User asks "what was my original question?" or similar
- You need to understand the initial context of the conversation

**Parameters:**
- sessionId (optional): Specific dialog session ID. If not provided, returns from current active dialog.

**Returns:**
JSON with:
- success: boolean
- sessionId: string (if found)
- firstRequest: string (first 80 chars of the initial message)
- timestamp: number (Unix ms)
- requestsCount: number
- error: string (if failed)
Example: {"success":true,"sessionId":"abc-123-def-456","firstRequest":"Let people log in with a passkey","timestamp":1768490000000,"requestsCount":5}

**Example usage scenarios:**
1. Get first request from current dialog:
   Call without parameters

2. Get first request from specific dialog:
   Call with { sessionId: "abc-123-def-456" }`,
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
    ...fromSpace,
  }),
  run: ({ sessionId }, { service, caller, signal }) =>
    service.getFirstRequest(caller, sessionId, signal),
})
