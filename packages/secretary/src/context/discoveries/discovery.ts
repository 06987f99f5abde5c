import type { Owner } from '../access/access.ts'
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

/**
 * `accepted`: recorded on purpose, or confirmed by a person. `suggested`: drawn from a dialog, and nobody has looked at it.
 * `dismissed`: a person said no.
 */
export type DiscoveryState = 'accepted' | 'suggested' | 'dismissed'

export interface DiscoveryFilter {
  /** `accepted` unless told. */
  readonly state?: DiscoveryState
  readonly type?: DiscoveryType
  readonly module?: string
  readonly session?: string
  readonly withArchived?: boolean
  /** What the user may read in spaces, too. */
  readonly withSpaces?: boolean
  /** Those that are not older than this. */
  readonly since?: string
  readonly limit: number
  readonly offset?: number
  /** The total is not wanted, and is then what came. */
  readonly isUncounted?: boolean
}

/** What discoveries need from storage. Nothing but suggestions is ever deleted. An owner's are those of a person alone, or of a space. */
export interface DiscoveryStore {
  /**
   * Adds one, or confirms the one that says the same: that one gains the files and the source, and the module where it had none.
   * However many processes do it at once, there is one in the end.
   */
  record(owner: Owner, discovery: Discovery): Promise<{ discovery: Discovery; merged: boolean }>
  /**
   * Makes these the suggestions of one session: those of an earlier reading that are no longer among them go, unless a person
   * confirmed or dismissed them. What was said before, or dismissed, is not suggested again.
   */
  suggest(owner: Owner, session: string, discoveries: readonly Discovery[]): Promise<void>
  /** Stores what a person said about a suggestion; undefined where there is none with this id. */
  judge(
    owner: Owner,
    id: string,
    given: { readonly verdict: Verdict; readonly follows?: string },
  ): Promise<Discovery | undefined>
  /** For each of these that a newer accepted one follows, the id of that one, among all that the user may read. */
  followers(owner: Owner, ids: readonly string[]): Promise<Map<string, string>>
  /** The latest first. */
  list(owner: Owner, filter: DiscoveryFilter): Promise<{ discoveries: Discovery[]; total: number }>
  /** The latest accepted ones of a type that are not older than a moment, oldest first, archived ones too. */
  addedSince(
    owner: Owner,
    type: DiscoveryType,
    date: string,
    limit: number,
  ): Promise<Pick<Discovery, 'id' | 'content' | 'date'>[]>
  /** Characters of all accepted ones that are not archived. */
  charactersAtHand(owner: Owner): Promise<number>
  /** Accepted ones, among all that the user may read. */
  find(owner: Owner, ids: readonly string[]): Promise<Discovery[]>
  /** Said again, or found by a search, among all that the user may read. */
  touch(owner: Owner, ids: readonly string[], now: string): Promise<void>
  archive(owner: Owner, ids: readonly string[]): Promise<void>
}
