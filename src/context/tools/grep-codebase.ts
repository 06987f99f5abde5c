// Template: ./README.md
import * as z from 'zod'
import { Result } from '../../core/result.ts'
import { ToolArguments } from '../../core/tool-arguments.ts'
import { contextFamily } from '../family.ts'

const lines = z.array(z.string())

export const grepCodebase = contextFamily.tool({
  name: 'grep_codebase',
  title: 'Search text',
  effect: 'read',
  limitPerMinute: 60,
  description:
    'Fast text search across codebase using regex.\nGood for exact matches and when semantic search unavailable.',
  arguments: new ToolArguments({
    pattern: z.string().min(1).max(200).describe('Regex'),
    filePattern: z
      .string()
      .refine(
        (glob) => glob.length <= 500 && !glob.includes('\0'),
        'must be a glob of at most 500 characters',
      )
      .optional()
      .describe('Glob, e.g. "**/*.ts"'),
    caseSensitive: z.boolean().default(false).describe('Mind the case'),
    limit: z.int().min(1).max(100).default(50).describe('Most matches'),
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
