import type { NoteCandidates } from './ranking/rank-notes.ts'

/** Raised with every change of how terms or vectors of notes are made: notes that are stored elsewhere are then made again. */
export const NOTE_FORM = 1

export type ResultSource = 'discovery' | 'session' | 'code'
export type NoteType = 'pattern' | 'rule' | 'decision' | 'issue'

export interface SearchRequest {
  readonly query: string
  /** Anything but `all` leaves discoveries of that type alone, and nothing where `sources` leaves them out. */
  readonly type?: NoteType | 'all'
  readonly module?: string
  readonly limit?: number
  /** The limit is for each source, not for all together. */
  readonly limitsEachSource?: boolean
  readonly sources?: readonly ResultSource[]
  /** Whose notes are looked at; none given means those that belong to nobody. Code has no scope. */
  readonly scopes?: readonly string[]
  /** Notes that were found elsewhere, to be ranked among those of the index. */
  readonly beside?: NoteCandidates
  /** How many passages of one file may be found; 3 unless told. */
  readonly passagesOfFile?: number
  /** Without vectors. */
  readonly byWords?: boolean
  /** Return what each score is made of. */
  readonly explain?: boolean
}

export interface SearchResult {
  readonly id: string
  readonly source: ResultSource
  /** A discovery's type; `code` or `session` for the others. */
  readonly type: string
  readonly content: string
  readonly module: string | null
  readonly session: string | null
  /** ISO 8601: when the note was made, or the file last changed. */
  readonly date: string
  /** 0..1, falling with rank. */
  readonly score: number
  readonly file?: string
  readonly line?: number
  readonly endLine?: number
  readonly symbol?: string
  readonly factors?: Readonly<Record<string, number>>
}

export interface EmbeddingFailure {
  readonly details: string
  /** It may still be working; the answer does not wait for it. */
  readonly timedOut: boolean
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** How many candidates matched before the limit. */
  readonly totalFound: number
  /** `lexical` when vectors are missing, for want of an embedder or of time. */
  readonly mode: 'hybrid' | 'lexical'
  /** Why the query has no vector although there are some to compare it with, or why there are none. */
  readonly embeddingFailure?: EmbeddingFailure
  /** Why the last run over the project did not come to its end. */
  readonly problem?: string
  readonly state: IndexState
}

/** `empty`: nothing was ever indexed. `building`: a first or a large run is under way and results are partial. */
export type IndexState = 'empty' | 'building' | 'ready'

/** Something worth finding that is not a file: a discovery, or a turn of a dialog. */
export interface Note {
  /** Unique among the notes of its scope; adding it again replaces it. */
  readonly id: string
  /** Whose it is, in the caller's own words: a search sees only the scopes that it names. */
  readonly scope?: string
  readonly source: 'discovery' | 'session'
  /** Of a discovery: pattern, rule, decision or issue. */
  readonly type?: NoteType
  readonly content: string
  /** The turns before and after: they help to find this one, at a lower weight. */
  readonly neighbours?: string
  readonly module?: string
  readonly session?: string
  readonly date: string
  readonly accessCount?: number
}
