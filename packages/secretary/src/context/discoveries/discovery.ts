export const DISCOVERY_TYPES = ['pattern', 'rule', 'decision', 'issue'] as const

export type DiscoveryType = (typeof DISCOVERY_TYPES)[number]

/** A file as it was when something was said about it. */
export interface FileMark {
  readonly path: string
  /** Of the content. */
  readonly hash: string
}

export const VERDICTS = ['confirmed', 'dismissed'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One time that it was said. */
export interface Mention {
  readonly dialog?: string
  /** From 1 within the dialog. */
  readonly request?: number
  /** ISO 8601. */
  readonly date: string
}

/** Something learned about the project that is worth keeping. */
export interface Discovery {
  readonly id: string
  readonly type: DiscoveryType
  readonly content: string
  readonly module?: string
  readonly session?: string
  /** ISO 8601. */
  readonly date: string
  /** 0..1 */
  readonly confidence: number
  /** Said on purpose, or drawn from a dialog by rules. */
  readonly origin: 'recorded' | 'dialog'
  /** What a person said about one that was drawn from a dialog; absent while it is a suggestion. */
  readonly verdict?: Verdict
  readonly files: readonly FileMark[]
  /** Each time that it was said, the first one first. */
  readonly sources: readonly Mention[]
  /** The older discovery on the same thing: this one is the newer word. */
  readonly follows?: string
  readonly accessCount: number
  readonly lastAccessAt?: string
  /** Out of the lists, still found by search. */
  readonly archived: boolean
  /** Name of the space that it belongs to, and its id; absent where it is its author's own. */
  readonly space?: string
  readonly spaceId?: string
  /** Who recorded it in the space. */
  readonly by?: string
}
