// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { DISCOVERY_TYPES } from '../discoveries/discovery.ts'
import { contextFamily } from '../family.ts'

export const contextSearchTool = contextFamily.tool({
  name: 'context_search',
  title: 'Search the project context',
  effect: 'read',
  limitPerMinute: 30,
  maximumMs: () => 5_000,
  description:
    'Search code, dialogs and decisions by meaning.\nUse it to find where something is, how it was done before, or why it was decided.',
  about: `Search project context semantically using RAG (Retrieval-Augmented Generation) with embeddings. Returns relevant discoveries, sessions, and code snippets ranked by similarity.

**Use cases:**
- "How did we handle authentication?"
- "Find issues related to token refresh"
- "What patterns do we use for API calls?"
- "Show me decisions about database choice"

**Returns:** {results, query, totalFound, searchTime}. A result has id, type, content, module, session, date, score (0 to 1) and source (discovery, session or code); code has file, line and symbol as well; what a space shares has space, a request also by. Discoveries, dialogs and code each keep places among the results; source asks for one of them alone. A type other than all finds discoveries of that type alone. Where nothing is indexed yet, use grep_codebase.`,
  arguments: new ToolArguments({
    query: z.string().trim().min(3).max(8_000).describe('Search query describing what to find'),
    type: z
      .enum(['all', ...DISCOVERY_TYPES])
      .default('all')
      .describe('Filter by discovery type'),
    source: z.enum(['discovery', 'session', 'code']).optional().describe('Filter by source'),
    module: z.string().optional().describe('Filter by module name'),
    limit: z.int().min(1).max(20).default(5).describe('Maximum number of results to return'),
    explain: z.boolean().default(false).describe('Whether to explain the scores'),
  }),
  examples: [
    {
      args: { query: 'how does authentication work' },
      shows: 'notes, dialogs and code, best first',
    },
    {
      args: { query: 'when did we change the login page', source: 'session' },
      shows: 'past dialogs about it',
    },
    {
      args: { query: 'token refresh issue', type: 'issue', module: 'auth', limit: 3 },
      shows: 'known issues of one module',
    },
  ],
  result: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        content: z.string(),
        module: z.string().nullable(),
        session: z.string().nullable(),
        date: z.string(),
        score: z.number(),
        source: z.enum(['discovery', 'session', 'code']),
        file: z.string().optional(),
        line: z.int().optional(),
        endLine: z.int().optional(),
        symbol: z.string().optional(),
        from: z
          .object({
            dialog: z.string().optional(),
            request: z.int().optional(),
            files: z.array(z.string()).optional(),
          })
          .optional(),
        newer: z.string().optional(),
        space: z.string().optional(),
        by: z.string().optional(),
        needs_recheck: z.literal(true).optional(),
        changedFiles: z.array(z.string()).optional(),
        factors: z.record(z.string(), z.number()).optional(),
      }),
    ),
    query: z.string(),
    totalFound: z.int(),
    searchTime: z.number(),
    partial: z.literal(true).optional(),
    message: z.string().optional(),
  }),
  run: async (request, { service, caller, signal }) =>
    Result.ok(await service.search(caller, request, signal)),
})
