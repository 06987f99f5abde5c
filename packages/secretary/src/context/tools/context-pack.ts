// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { contextFamily } from '../family.ts'
import { PACK_KINDS } from '../pack/pack-types.ts'

export const contextPackTool = contextFamily.tool({
  name: 'context_pack',
  title: 'Pack what to read first',
  effect: 'read',
  limitPerMinute: 30,
  maximumMs: () => 5_000,
  description:
    'Pack what to read before starting on a goal.\nRules, wishes, commands, code, tests and requests in one call.',
  about: `Collects, for a goal in words, what is worth reading before starting on it, within a budget of tokens. Replaces a series of searches and file reads.

**Use cases:**
- "Add rate limiting to the login endpoint"
- A whole issue text, up to 8,000 characters
- Handing a task to another agent with what it needs

**Returns:** {goal, budget, tokens, parts, left}. A part has kind (rule, wish, command, code, signature, test, decision or request), title, why, text and tokens; code has file, line and endLine, a request its session and index; by and space name a colleague who shares it. left names what did not fit, best first.`,
  arguments: new ToolArguments({
    goal: z.string().trim().min(3).max(8_000).describe('What you are about to do'),
    budget: z.int().min(300).max(32_000).default(4_000).describe('Tokens to spend'),
  }),
  examples: [
    {
      args: { goal: 'refresh the session token before it expires', budget: 3_000 },
      shows: 'the code, its tests and what was decided about it',
    },
  ],
  result: z.object({
    goal: z.string(),
    budget: z.int(),
    tokens: z.int(),
    parts: z.array(
      z.object({
        kind: z.enum(PACK_KINDS),
        title: z.string(),
        why: z.string(),
        text: z.string(),
        file: z.string().optional(),
        line: z.int().optional(),
        endLine: z.int().optional(),
        session: z.string().optional(),
        index: z.int().optional(),
        by: z.string().optional(),
        space: z.string().optional(),
        tokens: z.int(),
      }),
    ),
    left: z.array(z.string()),
    message: z.string().optional(),
  }),
  run: async (request, { service, caller, signal }) =>
    Result.ok(await service.pack(caller, request, signal)),
})
