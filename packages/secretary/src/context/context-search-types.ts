import type { NoteType, ResultSource, SearchResult } from '@secretary-mcp/search/search-types.ts'

export interface ContextSearchRequest {
  readonly query: string
  readonly type: NoteType | 'all'
  readonly source?: ResultSource
  readonly module?: string
  readonly limit: number
  readonly explain?: boolean
}

export interface FoundItem extends Omit<SearchResult, 'factors'> {
  readonly factors?: Record<string, number>
  /** Where a discovery came from. */
  readonly from?: { dialog?: string; request?: number; files?: string[] }
  /** The id of the discovery that is the newer word on the same thing. */
  readonly newer?: string
  /** Name of the space that a discovery belongs to, or that a request is shared with. */
  readonly space?: string
  /** Who shares the request. */
  readonly by?: string
  /** A file it speaks of has changed since. */
  readonly needs_recheck?: true
  readonly changedFiles?: string[]
}

export interface ContextSearchAnswer {
  readonly results: FoundItem[]
  readonly query: string
  readonly totalFound: number
  readonly searchTime: number
  /** The index is still being built. */
  readonly partial?: true
  readonly message?: string
}
