import type { ContextSearchAnswer, FoundItem } from '../../../../../src/context/context-search-types.ts'
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
  readonly metadata: { readonly module: string; readonly role: string; readonly lastModified: string }
  readonly message?: string
}

export function searchContext(query: string, type: string, module: string, signal: AbortSignal): Promise<ContextSearchAnswer> {
  const args = { query, limit: 20, explain: true, ...(type ? { type } : {}), ...(module ? { module } : {}) }
  return callTool('context', 'context_search', args, signal)
}

export async function grep(pattern: string, filePattern: string, signal: AbortSignal): Promise<GrepAnswer> {
  const args = { pattern, limit: 100, ...(filePattern ? { filePattern } : {}) }
  return callTool<GrepAnswer>('context', 'grep_codebase', args, signal).catch((error: Error) => {
    if (error.message !== 'Invalid regex pattern') throw error
    throw new ApiError(400, 'This is no regular expression. To find a character such as ( or [ itself, put \\ before it.')
  })
}

export function readFile(path: string, signal: AbortSignal): Promise<FileAnswer> {
  return callTool('context', 'read_file', { path }, signal)
}
