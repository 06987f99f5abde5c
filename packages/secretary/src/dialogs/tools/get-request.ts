// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { fileGone, fromSpace, sessionId } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'

export const getRequest = dialogsFamily.tool({
  name: 'get_request',
  title: 'Get a request',
  effect: 'read',
  description:
    'Get one request of the person, word for word.\nUse it when you need exactly what they asked, or their Nth request.',
  about: `Retrieves a specific user request by position from a Copilot Chat dialog.

**Use this tool when:**
- You need to recall a specific request from the dialog history
- User asks about their Nth question or request
- You need to reference a particular point in the conversation

**Parameters:**
- index (required): Position of the request (1-based, where 1 is the first request)
- sessionId (optional): Specific dialog session ID. If not provided, uses current active dialog.

**Returns:**
JSON with:
- success: boolean
- sessionId: string (if found)
- request: string (full request message)
- index: number (the requested position)
- timestamp: number (Unix ms)
- totalRequests: number (total requests in dialog)
- error: string (if failed)
Example: {"success":true,"sessionId":"abc-123-def-456","request":"Add validation to the form","index":2,"timestamp":1768490500000,"totalRequests":5}

**Example usage scenarios:**
1. Get 2nd request from current dialog:
   Call with { index: 2 }

2. Get 3rd request from specific dialog:
   Call with { index: 3, sessionId: "abc-123-def-456" }`,
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
      .meta({ type: 'integer', description: 'Position of the request, starting at 1' }),
    sessionId,
  }),
  examples: [
    { args: { index: 2 }, shows: 'the 2nd request of the current dialog' },
    { args: { index: 3, sessionId: 'abc' }, shows: 'the 3rd of another dialog' },
  ],
  result: z.object({
    sessionId: z.string(),
    request: z.string(),
    answers: z.string().optional(),
    index: z.int(),
    timestamp: z.number(),
    totalRequests: z.int(),
    fileGone,
    ...fromSpace,
  }),
  run: ({ index, sessionId }, { service, caller, signal }) =>
    service.getRequest(caller, index, sessionId, signal),
})
