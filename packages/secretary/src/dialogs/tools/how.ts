// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import { COMMAND_KINDS } from '@secretary-mcp/transcripts/deeds/deed.ts'
import * as z from 'zod'
import { dialogsFamily } from '../family.ts'

export const howAnswer = z.object({
  what: z.string(),
  commands: z.array(
    z.object({
      command: z.string(),
      kind: z.enum(COMMAND_KINDS),
      passed: z.int(),
      failed: z.int(),
      last: z.number().optional(),
      sessionId: z.string().optional(),
      definition: z.string().optional(),
    }),
  ),
  note: z.string().optional(),
})

export const howTool = dialogsFamily.tool({
  name: 'how',
  title: 'How is it run',
  effect: 'read',
  description:
    'Find the command that does something here.\nUse it before you guess how to test, build or run the project.',
  arguments: new ToolArguments({
    what: z.string().trim().min(2).max(200).describe('What to do, such as test, build or migrate'),
  }),
  examples: [
    {
      args: { what: 'run the tests' },
      shows: 'the test commands that succeeded, with their flags',
    },
    { args: { what: 'prisma' }, shows: 'commands that have the word' },
  ],
  result: howAnswer,
  run: ({ what }, { service, caller, signal }) => service.deeds.how(caller, what, signal),
})
