import type {
  ContextSearchAnswer,
  FoundItem,
} from '../../../../../src/context/context-search-types.ts'
import { ApiError } from '../../live/api.ts'
import { callTool } from '../../live/call-tool.ts'

export type Found = FoundItem

export interface Match {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
  readonly context: { readonly before: readonly string[]; readonly after: readonly string[] }
}

export interface GrepAnswer {
  readonly matches: readonly Match[]
  readonly totalMatches: number
  readonly filesSearched: number
  readonly searchTime: number
  readonly message?: string
}

export interface FileAnswer {
  readonly file: {
    readonly path: string
    readonly content: string
    readonly size: number
    readonly lines?: number
    readonly language: string
    readonly startLine?: number
  }
  readonly metadata: {
    readonly module: string
    readonly role: string
    readonly lastModified: string
  }
  readonly message?: string
}

const NOTHING_YET =
  'Nothing can be searched yet: this project has no code, no dialogs and no discoveries so far'

export function searchContext(
  query: string,
  type: string,
  module: string,
  signal: AbortSignal,
): Promise<ContextSearchAnswer> {
  const args = {
    query,
    limit: 20,
    explain: true,
    ...(type ? { type } : {}),
    ...(module ? { module } : {}),
  }
  return callTool<ContextSearchAnswer>('context', 'context_search', args, signal).catch(
    (error: Error) => {
      // In the words of the tool's contract, which speak to an agent.
      if (kindOf(error) !== 'not_indexed') throw error
      return { query, results: [], totalFound: 0, searchTime: 0, message: NOTHING_YET }
    },
  )
}

export async function grep(
  pattern: string,
  filePattern: string,
  signal: AbortSignal,
): Promise<GrepAnswer> {
  const args = { pattern, limit: 100, ...(filePattern ? { filePattern } : {}) }
  return callTool<GrepAnswer>('context', 'grep_codebase', args, signal).catch((error: Error) => {
    if (kindOf(error) !== 'invalid_regex') throw error
    throw new ApiError(
      400,
      'This is no regular expression. To find a character such as ( or [ itself, put \\ before it.',
    )
  })
}

/** Of a file that is too large to be read at once, the block of lines that is wanted and some around it. */
export const BLOCK = 1_000

export async function readFile(
  path: string,
  block: number,
  signal: AbortSignal,
): Promise<FileAnswer> {
  try {
    return await callTool<FileAnswer>('context', 'read_file', { path }, signal)
  } catch (error) {
    const kind = kindOf(error)
    if (kind !== 'too_large') throw PLAIN[kind ?? ''] ?? error
  }
  const startLine = Math.max(1, (block - 1) * BLOCK)
  const part = await callTool<FileAnswer>(
    'context',
    'read_file',
    { path, startLine, endLine: (block + 2) * BLOCK },
    signal,
  )
  return {
    ...part,
    message: `The file is too large to be shown whole; this is a part of it, from line ${startLine} on.`,
  }
}

const PLAIN: Readonly<Record<string, ApiError>> = {
  not_found: new ApiError(404, 'There is no such file in this project, or not any more.'),
  not_text: new ApiError(415, 'This is not a text file, so there is nothing to show.'),
}

function kindOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.kind : undefined
}
