export const DEED_KINDS = [
  'read',
  'create',
  'change',
  'delete',
  'command',
  'commit',
  'question',
  'helper',
  'interrupt',
] as const
export type DeedKind = (typeof DEED_KINDS)[number]

export const COMMAND_KINDS = ['test', 'build', 'lint', 'git', 'install', 'other'] as const
export type CommandKind = (typeof COMMAND_KINDS)[number]

/** Lines that a change took away and brought, as prints: see `line-print.ts`. */
export interface ChangedLines {
  readonly plus: number
  readonly minus: number
  readonly came: readonly LinePrint[]
  readonly gone: readonly LinePrint[]
  /** What the lines that came speak of. */
  readonly words?: readonly string[]
}

/** A line without its words: enough to know it again. */
export interface LinePrint {
  /** 40 bits of the line without its indentation. */
  readonly print: number
  /** Columns of indentation, at most 255. */
  readonly indent: number
}

/** One thing that an agent did. */
export interface Deed {
  readonly kind: DeedKind
  /** Where its record stands in the transcript: what comes after a request was done for it. */
  readonly at: number
  /** Its place among several deeds of one record. */
  readonly place: number
  readonly time: number
  /** Relative to the dialog's folder where it lies inside, absolute elsewhere; forward slashes. */
  readonly path?: string
  readonly lines?: ChangedLines
  /** The command, the commit's subject, the question, what the helper was told to do. */
  readonly text?: string
  readonly commandKind?: CommandKind
  /** Of a command that ended; of a commit, 0. */
  readonly exit?: number
  /** The last lines of a failure; of a commit its hash; of a question the answer. */
  readonly tail?: string
  /** The agent's own id of the call: the same deed may stand in two files. */
  readonly call?: string
  /** In a helper's file: when the helper was told to do this. */
  readonly since?: number
}

/** What a record says about a deed, before it is bound to a place. */
export type DeedFacts = Omit<Deed, 'at' | 'place' | 'time' | 'since'> & { readonly time?: number }

/** How a call ended. */
export interface Outcome {
  /** It had no effect: a refused edit, a file that is not there. */
  readonly failed?: boolean
  readonly exit?: number
  readonly tail?: string
  readonly lines?: ChangedLines
  readonly kind?: DeedKind
}

/** Something begun, or how something begun earlier ended. */
export type DeedEvent =
  | { readonly begun: DeedFacts; readonly waits?: boolean }
  | { readonly ended: string; readonly outcome: Outcome }
  /** In a helper's file: its lead told it something. */
  | { readonly instructedAt: number }
