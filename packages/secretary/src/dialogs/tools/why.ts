// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { fromSpace } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'

const range = z.array(z.int()).length(2)

export const whyAnswer = z.object({
  file: z.string(),
  line: z.int(),
  endLine: z.int(),
  requests: z.array(
    z.object({
      sessionId: z.string(),
      source: z.string(),
      index: z.int(),
      timestamp: z.number(),
      request: z.string(),
      answers: z.string().optional(),
      lines: z.array(range),
      evidence: z.enum(['exact', 'moved']),
      commit: z.string().optional(),
      ...fromSpace,
    }),
  ),
  unexplained: z.array(range),
  note: z.string().optional(),
})

export const whyTool = dialogsFamily.tool({
  name: 'why',
  title: 'Why is this line here',
  effect: 'read',
  description:
    'Find the request that led to a line of code.\nUse it before you change code whose reason you do not know.',
  arguments: new ToolArguments({
    file: z.string().min(1).max(1000).describe('File path relative to the project root'),
    line: z.int().min(1).describe('Line number, starting at 1'),
    endLine: z.int().min(1).optional().describe('Last line of a range'),
  }),
  examples: [
    { args: { file: 'src/login.ts', line: 10 }, shows: 'who asked for line 10, word for word' },
    { args: { file: 'src/login.ts', line: 10, endLine: 40 }, shows: 'every request behind a part' },
  ],
  result: whyAnswer,
  run: (args, { service, caller, signal }) => service.deeds.why(caller, args, signal),
})
