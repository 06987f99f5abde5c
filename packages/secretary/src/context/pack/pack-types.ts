import type { Caller } from '@secretary-mcp/core/tool.ts'

export const PACK_KINDS = [
  'rule',
  'wish',
  'command',
  'code',
  'signature',
  'test',
  'decision',
  'request',
] as const
export type PackKind = (typeof PACK_KINDS)[number]

/** One thing to read, with why it is there and where to read on. */
export interface PackPart {
  readonly kind: PackKind
  readonly title: string
  readonly why: string
  readonly text: string
  readonly file?: string
  readonly line?: number
  readonly endLine?: number
  readonly session?: string
  readonly index?: number
  /** A colleague who shares it, and the space; undefined if it is the person's own or the project's. */
  readonly by?: string
  readonly space?: string
  readonly tokens: number
}

export interface Pack {
  readonly goal: string
  readonly budget: number
  readonly tokens: number
  readonly parts: readonly PackPart[]
  /** What did not fit, a line each, best first. */
  readonly left: readonly string[]
  readonly message?: string
}

/** A rule in one line. */
export interface PackRule {
  readonly text: string
  /** The language or framework that it is about, where it is about one alone. */
  readonly only?: string
  /** The project's own file that says it; absent where it comes from the guide. */
  readonly from?: string
}

/** The person's own words. */
export interface PackWish {
  readonly text: string
  readonly isPinned?: boolean
}

/** What the other families add to a pack. Each may be absent, and may fail without harm to the rest. */
export interface PackPorts {
  /** Documents of the guide that apply to the project, a line each. */
  readonly rules?: (
    caller: Caller,
    limit: number,
    signal: AbortSignal,
  ) => Promise<readonly PackRule[]>
  /** What the person pinned or wants to hold from now on, word for word; pins first. */
  readonly wishes?: (caller: Caller, signal: AbortSignal) => Promise<readonly PackWish[]>
  /** Commands that build and test here, as they were run. */
  readonly commands?: (
    caller: Caller,
    signal: AbortSignal,
  ) => Promise<
    readonly { readonly command: string; readonly kind: string; readonly passed: number }[]
  >
}
