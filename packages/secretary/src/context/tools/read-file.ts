// Template: ./README.md

import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { contextFamily } from '../family.ts'

const line = z.int().min(1).optional()

export const readFile = contextFamily.tool({
  name: 'read_file',
  title: 'Read a file',
  effect: 'read',
  limitPerMinute: 100,
  maximumMs: ({ includeDeps }) => (includeDeps ? 2_000 : 500),
  description:
    'Read file content with optional dependency tree.\nTracks access for context scoring.',
  about: `Read file content with optional dependency tree loading. Tracks file access for context scoring.

**Use cases:**
- "Show me the AuthService implementation"
- "Read UserRepository with its dependencies"
- "What's in the config file?"

**Returns:** {file, dependencies, metadata}. file has path, content, size in bytes, lines and language; a dependency has path, type, level and content; metadata has module, role and lastModified. At most 1 MB at once: startLine and endLine give a part of a longer file. Paths are relative; .env files, .git and node_modules are never read.`,
  arguments: new ToolArguments(
    {
      path: z.string().min(1).describe('File path relative to project root'),
      includeDeps: z.boolean().default(false).describe('Include level 1 dependencies (imports)'),
      maxDepth: z.int().min(0).max(1).default(1).describe('Dependency tree depth (MVP: max 1)'),
      startLine: line.describe('First line to return, starting at 1'),
      endLine: line.describe('Last line to return'),
    },
    {
      check: ({ startLine, endLine }) => !(Number(endLine) < Number(startLine ?? 1)),
      message: 'endLine must not be before startLine',
    },
  ),
  examples: [
    {
      args: { path: 'src/server/auth/AuthService.ts', includeDeps: true },
      shows: 'a file and the files it imports',
    },
    {
      args: { path: 'CHANGELOG.md', startLine: 1, endLine: 40 },
      shows: 'the beginning of a long file',
    },
  ],
  result: z.object({
    file: z.object({
      path: z.string(),
      content: z.string(),
      size: z.int(),
      lines: z.int().optional(),
      language: z.string(),
      encoding: z.string().optional(),
      startLine: z.int().optional(),
      endLine: z.int().optional(),
    }),
    dependencies: z.array(
      z.object({
        path: z.string(),
        type: z.string(),
        level: z.int(),
        content: z.string().optional(),
        omitted: z.string().optional(),
      }),
    ),
    metadata: z.object({ module: z.string(), role: z.string(), lastModified: z.string() }),
    message: z.string().optional(),
  }),
  run: async (request, { service, caller, signal }) =>
    Result.ok(await service.read(caller, request, signal)),
})
