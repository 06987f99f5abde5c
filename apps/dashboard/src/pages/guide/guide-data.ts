import { callTool } from '../../live/call-tool.ts'
import { type Query, useQuery } from '../../live/use-query.ts'

export interface Category {
  readonly name: string
  readonly dir: string
  readonly patterns: readonly string[]
  readonly description: string
}

export interface Collection {
  readonly name: string
  readonly categories: readonly string[]
  readonly description: string
}

export interface DocumentFile {
  readonly uri: string
  readonly layer: string
  readonly description: string
}

export interface Content {
  readonly content: string
  readonly documents: readonly { readonly uri: string; readonly name: string }[]
  readonly total: number
  readonly next_offset?: number
}

export interface Resource {
  readonly uri: string
  readonly mime_type: string
  readonly text: string
  readonly next_offset?: number
}

interface Answer<T> {
  readonly value: T
  readonly message?: string
  readonly instruction?: string
}

/** A guide tool's value and what it says beside it. */
export function useGuide<T>(tool: string, args: object = {}): Query<Answer<T>> {
  return useQuery(`guide ${tool} ${JSON.stringify(args)}`, 'guide', (signal) =>
    callTool<Answer<T>>('guide', tool, args, signal),
  )
}
