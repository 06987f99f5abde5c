// Template: ./README.md

import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { fromSpace, sessionId } from '../dialog-schema.ts'
import { dialogsFamily } from '../family.ts'
import { DOUBTS, STATES } from '../ledger/ledger-entry.ts'

export const ledgerAnswer = z.object({
  sessionId: z.string(),
  entries: z.array(
    z.object({
      index: z.int(),
      timestamp: z.number(),
      request: z.string(),
      title: z.string().optional(),
      answers: z.string().optional(),
      state: z.enum(STATES),
      against: z.array(z.enum(DOUBTS)),
      replacedBy: z.int().optional(),
      files: z.array(
        z.object({
          path: z.string(),
          plus: z.int(),
          minus: z.int(),
          standing: z.number().optional(),
          undone: z.boolean().optional(),
        }),
      ),
      commands: z.int(),
      ended: z.array(z.string()),
      commits: z.array(
        z.object({
          sha: z.string().optional(),
          subject: z.string(),
          onCurrentBranch: z.boolean().optional(),
        }),
      ),
      clauses: z
        .array(
          z.object({
            clause: z.string(),
            evidence: z.array(z.object({ file: z.string(), words: z.array(z.string()) })),
          }),
        )
        .optional(),
    }),
  ),
  total: z.int(),
  more: z.string().optional(),
  note: z.string().optional(),
  ...fromSpace,
})

export const ledgerTool = dialogsFamily.tool({
  name: 'ledger',
  title: 'Ledger',
  effect: 'read',
  description:
    'Report what happened to each request.\nUse it to see what was changed, tested and committed, and what was not.',
  arguments: new ToolArguments({
    sessionId,
    index: z.int().min(1).optional().describe('Position of one request'),
    state: z
      .enum([...STATES, ...DOUBTS])
      .optional()
      .describe('Only requests in this state'),
    limit: z.int().min(1).max(100).default(20).describe('Requests to return'),
    offset: z.int().min(0).default(0).describe('Requests to skip'),
  }),
  examples: [
    { args: {}, shows: 'every request of the current dialog' },
    { args: { state: 'failing' }, shows: 'those whose last test or build failed' },
  ],
  result: ledgerAnswer,
  run: (args, { service, caller, signal }) => service.deeds.ledger(caller, args, signal),
})
