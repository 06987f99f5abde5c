import type { Caller } from '@secretary-mcp/core/tool.ts'

/** In the order in which groups are shown. */
export const FOUND_KINDS = [
  'request',
  'answer',
  'decision',
  'task',
  'document',
  'file',
  'symbol',
  'tool',
  'command',
] as const
export type FoundKind = (typeof FOUND_KINDS)[number]

export const NARROWING = ['agent', 'project', 'after', 'file'] as const
export type Narrowing = (typeof NARROWING)[number]

/** What was typed, taken apart. */
export interface Wanted {
  readonly words: string
  readonly agent?: string
  readonly project?: string
  /** In milliseconds. */
  readonly after?: number
  readonly file?: string
  readonly limit: number
}

/** Something that was found, and where it leads. */
export interface Found {
  readonly title: string
  /** The part of its text around the hit. */
  readonly text?: string
  /** Such as the agent, or whether a task is done. */
  readonly note?: string
  /** In milliseconds. */
  readonly at?: number
  /** Why it is here, for a person. */
  readonly why: string
  readonly session?: string
  readonly request?: number
  readonly file?: string
  readonly line?: number
  readonly task?: number
  readonly document?: string
  readonly tool?: string
}

/** Searches one kind of thing, the best first. */
export interface Finder {
  readonly kind: FoundKind
  /** What it can be narrowed by; it is not asked where something else is wanted. */
  readonly narrowedBy: readonly Narrowing[]
  find(caller: Caller, wanted: Wanted, signal: AbortSignal): Promise<readonly Found[]>
}
