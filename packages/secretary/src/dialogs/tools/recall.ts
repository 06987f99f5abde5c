// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { sessionId } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'
import { DEFAULT_BUDGET } from '../recall/compose-recall.ts'

const request = z.object({
  index: z.int(),
  timestamp: z.number(),
  request: z.string(),
  answers: z.string().optional(),
  done: z.string().optional(),
})
const lines = z.array(z.string()).optional()

export const recallAnswer = z.object({
  sessionId: z.string().optional(),
  source: z.string().optional(),
  title: z.string().optional(),
  note: z.string().optional(),
  totalRequests: z.int().optional(),
  pinned: lines,
  firstRequest: request.optional(),
  otherRequests: lines,
  latestRequests: z.array(request).optional(),
  underWay: lines,
  standing: lines,
  files: lines,
  commands: lines,
  openTasks: lines,
  rules: lines,
  decisions: lines,
  fromOthers: lines,
  leftOut: z.array(z.string()),
  tokens: z.int(),
})

export const recallTool = dialogsFamily.tool({
  name: 'recall',
  title: 'Recall',
  effect: 'read',
  description:
    'Recall what was asked and where the work stands.\nUse it once at the start of a dialog and after a compaction.',
  about: `Use it once after a compaction and at the start of a dialog, before you ask the person to repeat anything.
Returns the first request and the latest ones word for word, all others in a line each, what is under way, what was pinned, the files edited or read last, commands that work here and the open tasks of this project, within the budget of tokens; leftOut names the tool that gives what did not fit.`,
  arguments: new ToolArguments({
    budget: z.int().min(200).max(50_000).default(DEFAULT_BUDGET).describe('Tokens to spend'),
    sessionId,
  }),
  examples: [
    { args: {}, shows: 'where the work stands, in 1500 tokens' },
    { args: { budget: 6000, sessionId: 'abc' }, shows: 'more of another dialog' },
  ],
  result: recallAnswer,
  run: (args, { service, caller, signal }) => service.recall(caller, args, signal),
})
