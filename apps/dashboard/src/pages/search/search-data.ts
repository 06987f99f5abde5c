import type { ValueOf } from '@secretary-mcp/core/tool.ts'
import type { contextSearchTool } from '@secretary-mcp/secretary/context/tools/context-search.ts'
import type { grepCodebase } from '@secretary-mcp/secretary/context/tools/grep-codebase.ts'
import type { readFile as readFileTool } from '@secretary-mcp/secretary/context/tools/read-file.ts'
import { ApiError } from '../../live/api.ts'
import { callTool } from '../../live/call-tool.ts'

type ContextAnswer = ValueOf<typeof contextSearchTool>
export type Found = ContextAnswer['results'][number]
export type Match = ValueOf<typeof grepCodebase>['matches'][number]
export type FileAnswer = ValueOf<typeof readFileTool>

const NOTHING_YET =
  'Nothing can be searched yet: this project has no code, no dialogs and no discoveries so far'

export const KINDS = ['decision', 'rule', 'pattern', 'issue'] as const

/** The address may hold anything. */
function isKind(text: string): text is (typeof KINDS)[number] {
  return (KINDS as readonly string[]).includes(text)
}

function isSource(text: string): text is Found['source'] {
  return text === 'discovery' || text === 'session' || text === 'code'
}

export function searchContext(
  query: string,
  { type, source, module }: { type: string; source: string; module: string },
  signal: AbortSignal,
): Promise<ContextAnswer> {
  const args = {
    query,
    limit: 20,
    explain: true,
    ...(isKind(type) ? { type } : {}),
    ...(isSource(source) ? { source } : {}),
    ...(module ? { module } : {}),
  }
  return callTool<typeof contextSearchTool>('context', 'context_search', args, signal).catch(
    (error: Error) => {
      // In the words of the tool's contract, which speak to an agent.
      if (kindOf(error) !== 'not_indexed') throw error
      return { query, results: [], totalFound: 0, searchTime: 0, message: NOTHING_YET }
    },
  )
}

/** Exact text is taken as it stands unless a regular expression is asked for. */
export function grep(
  wanted: { readonly text: string; readonly isRegex: boolean; readonly files: string },
  signal: AbortSignal,
) {
  const { text, isRegex, files: filePattern } = wanted
  const pattern = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const args = { pattern, limit: 100, ...(filePattern ? { filePattern } : {}) }
  return callTool<typeof grepCodebase>('context', 'grep_codebase', args, signal).catch(
    (error: Error) => {
      if (kindOf(error) !== 'invalid_regex') throw error
      throw new ApiError(
        400,
        'Invalid regular expression. To search for a character such as ( or [, put \\ before it.',
      )
    },
  )
}

/** Of a file that is too large to be read at once, the block of lines that is wanted and some around it. */
export const BLOCK = 1_000

export async function readFile(
  path: string,
  block: number,
  signal: AbortSignal,
): Promise<FileAnswer> {
  try {
    return await callTool<typeof readFileTool>('context', 'read_file', { path }, signal)
  } catch (error) {
    const kind = kindOf(error)
    if (kind !== 'too_large') throw PLAIN[kind ?? ''] ?? error
  }
  const startLine = Math.max(1, (block - 1) * BLOCK)
  const part = await callTool<typeof readFileTool>(
    'context',
    'read_file',
    { path, startLine, endLine: (block + 2) * BLOCK },
    signal,
  )
  return {
    ...part,
    message: `The file is too large to show in full; this part starts at line ${startLine}.`,
  }
}

const PLAIN: Readonly<Record<string, ApiError>> = {
  not_found: new ApiError(404, 'This file is not in the project.'),
  not_text: new ApiError(415, 'This is not a text file, so there is nothing to show.'),
}

function kindOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.kind : undefined
}
