// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { contextFamily } from '../family.ts'

const lines = z.array(z.string())

export const grepCodebase = contextFamily.tool({
  name: 'grep_codebase',
  title: 'Search text',
  effect: 'read',
  limitPerMinute: 60,
  maximumMs: () => 3_000,
  description:
    'Fast text search across codebase using regex.\nGood for exact matches and when semantic search unavailable.',
  about: `Fast text search across codebase using regex patterns. Fallback when semantic search not available or for exact matches.

**Use cases:**
- "Find all uses of jwt.sign"
- "Search for 'TODO' comments"
- "Find interface definitions"
- "Locate function calls"

**Returns:** {matches, pattern, totalMatches, filesSearched, searchTime}. A match has file, line and column (from 1), text, and context with two lines before and after. Ignored files are left out, as are node_modules/, .git/, dist/, build/, .next/ and .context/.`,
  arguments: new ToolArguments({
    pattern: z.string().min(1).max(200).describe('Regex pattern to search for'),
    filePattern: z
      .string()
      .refine(
        (glob) => glob.length <= 500 && !glob.includes('\0'),
        'must be a glob of at most 500 characters',
      )
      .optional()
      .describe('Glob pattern to filter files (e.g., "**/*.ts")'),
    caseSensitive: z.boolean().default(false).describe('Case-sensitive search'),
    limit: z.int().min(1).max(100).default(50).describe('Maximum number of matches to return'),
  }),
  examples: [
    { args: { pattern: 'jwt\\.sign' }, shows: 'every call, with two lines before and after' },
    {
      args: { pattern: 'interface.*Context', filePattern: 'src/**/*.ts', limit: 20 },
      shows: 'definitions in one folder',
    },
  ],
  result: z.object({
    matches: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        column: z.int(),
        text: z.string(),
        context: z.object({ before: lines, after: lines }),
      }),
    ),
    pattern: z.string(),
    totalMatches: z.int(),
    filesSearched: z.int(),
    searchTime: z.number(),
    truncated: z.literal(true).optional(),
    message: z.string().optional(),
  }),
  run: async (request, { service, caller, signal }) =>
    Result.ok(await service.grep(caller, request, signal)),
})
