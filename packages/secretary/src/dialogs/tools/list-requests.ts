// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { fileGone, fromSpace, sessionId } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'

export const listRequests = dialogsFamily.tool({
  name: 'list_requests',
  title: 'List requests',
  effect: 'read',
  description: "List a dialog's user requests as previews",
  about: `Use it to find the number of a request before get_request reads it in full, or to see at a glance how a dialog went.
Returns {requests:[{index, timestamp, preview}], totalRequests, more}: index counts from 1, timestamp is Unix ms, preview has at most 80 characters, and more says how to get the next page.`,
  arguments: new ToolArguments({
    sessionId,
    limit: z.int().min(1).max(200).default(50).describe('Requests to return'),
    offset: z.int().min(0).default(0).describe('Requests to skip'),
  }),
  examples: [
    { args: {}, shows: 'the first 50 of the current dialog' },
    { args: { sessionId: 'abc', offset: 50 }, shows: 'the next page of another' },
  ],
  result: z.object({
    sessionId: z.string(),
    requests: z.array(
      z.object({
        index: z.int(),
        timestamp: z.number(),
        preview: z.string(),
        answers: z.string().optional(),
      }),
    ),
    totalRequests: z.int(),
    fileGone,
    more: z.string().optional(),
    ...fromSpace,
  }),
  run: (page, { service, caller, signal }) => service.listRequests(caller, page, signal),
})
