// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { DISCOVERY_TYPES } from '../discoveries/discovery.ts'
import { contextFamily } from '../family.ts'

const MAX_FILES = 10
const text = z
  .string()
  .trim()
  .refine((value) => !value.includes('\0'), 'must not contain NUL characters')

export const recordDiscovery = contextFamily.tool({
  name: 'record_discovery',
  title: 'Record a discovery',
  effect: 'write',
  description:
    'Keep what you learned about the project.\nUse it when the next session should know it, too.',
  about: `Use it when you learned something that the next session should know: how a thing is done here (pattern), what must hold (rule), what was chosen and why (decision), what went wrong and how it was solved (issue).
Write one fact in one sentence. List the files it refers to: when they change, the discovery is marked for recheck.
Name a space when its members should find it too; otherwise it is the person’s own.`,
  arguments: new ToolArguments({
    type: z.enum(DISCOVERY_TYPES).describe('Kind of discovery'),
    content: text.min(3).max(2000).describe('One fact and its reason'),
    module: text.optional().describe('Module that it is about'),
    files: z
      .array(z.string())
      .refine((paths) => paths.length <= MAX_FILES, `must be at most ${MAX_FILES} paths`)
      .optional()
      .describe('Files that it refers to'),
    space: text.optional().describe('Space to share it with'),
  }),
  examples: [
    {
      args: {
        type: 'decision',
        content: 'Sessions live in Redis because workers share them',
        files: ['src/auth/session.ts'],
      },
      shows: 'a decision bound to a file',
    },
  ],
  result: z.object({
    id: z.string(),
    type: z.string(),
    content: z.string(),
    module: z.string().nullable(),
    session: z.string().nullable(),
    date: z.string(),
    confidence: z.number(),
    files: z.array(z.string()),
    space: z.string().optional(),
    merged: z.literal(true).optional(),
    follows: z.string().optional(),
    message: z.string(),
  }),
  async run(given, { service, caller }) {
    const { discovery, merged } = await service.record(caller, given)
    const {
      id,
      type,
      content,
      module = null,
      session = null,
      date,
      confidence,
      files,
      space,
      follows,
    } = discovery
    return Result.ok({
      id,
      type,
      content,
      module,
      session,
      date,
      confidence,
      files: files.map(({ path }) => path),
      ...(space ? { space } : {}),
      ...(merged ? { merged: true as const } : {}),
      ...(follows && !merged ? { follows } : {}),
      message: messageOf(merged, follows),
    })
  },
})

function messageOf(merged: boolean, follows: string | undefined): string {
  if (merged) return 'Already known; the earlier discovery was confirmed'
  return follows ? `Discovery recorded; it supersedes ${follows}` : 'Discovery recorded'
}
