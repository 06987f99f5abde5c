// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { foundRequest } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'

export const searchRequests = dialogsFamily.tool({
  name: 'search_requests',
  title: 'Search requests',
  effect: 'read',
  description:
    'Find what the person asked, in any dialog.\nUse it when they refer to something that they said before.',
  about: `Use it when the person refers to something they said before ("as I asked last week") and you do not know in which dialog.
Returns {results:[{sessionId, source, index, timestamp, request, score}], query}: best first; sessionId and index are what get_request takes, and source is the agent that was asked.`,
  arguments: new ToolArguments({
    query: z
      .string()
      .trim()
      .min(1, 'query must not be empty')
      .max(500, 'query must be at most 500 characters')
      .describe('Words of the request, or its meaning'),
    limit: z.int().min(1).max(50).default(10).describe('Requests to return'),
  }),
  examples: [
    {
      args: { query: 'dark theme' },
      shows: 'requests about it, best first; get_request gives one in full',
    },
    { args: { query: 'why did we drop Redis', limit: 3 }, shows: 'the three best' },
  ],
  result: z.object({
    results: z.array(foundRequest),
    query: z.string(),
    note: z.string().optional(),
  }),
  run: (args, { service, caller, signal }) => service.searchRequests(caller, args, signal),
})
