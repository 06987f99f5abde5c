// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { dialogsFamily } from '../family.ts'

export const fixAnswer = z.object({
  fixes: z.array(
    z.object({
      sessionId: z.string(),
      source: z.string(),
      index: z.int(),
      timestamp: z.number(),
      request: z.string(),
      command: z.string(),
      error: z.string(),
      done: z.string(),
      files: z.array(z.string()),
      changes: z.array(z.object({ path: z.string(), diff: z.string().optional() })),
      ran: z.array(z.string()),
      similarity: z.number(),
    }),
  ),
  note: z.string().optional(),
})

export const fixTool = dialogsFamily.tool({
  name: 'fix',
  title: 'What fixed this error',
  effect: 'read',
  description: 'What was done after the same error before',
  arguments: new ToolArguments({
    error: z.string().trim().min(3).max(4000).describe('The error message'),
  }),
  examples: [
    {
      args: { error: 'ReferenceError: it is not defined' },
      shows: 'the changes after which the same command passed',
    },
  ],
  result: fixAnswer,
  run: ({ error }, { service, caller, signal }) => service.deeds.fix(caller, error, signal),
})
