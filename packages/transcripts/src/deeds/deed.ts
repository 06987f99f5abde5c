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
  'todo',
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

export type RunOutcome = 'passed' | 'failed'

/** One program of a command line whose end says something about the work. */
export interface Run {
  readonly kind: CommandKind
  /** Its own words, without redirections and pipes. */
  readonly command: string
  /** Where it ran, seen from where the command line began. */
  readonly folder?: string
  /** The tasks it was asked for, each with the tool whose files define it: `mise:test:ci`. */
  readonly tasks?: readonly string[]
  /** Absent if neither its status nor its output proves one. */
  readonly outcome?: RunOutcome
}

/** What git was asked to do with files, a commit or a branch. */
export interface GitAct {
  readonly act: 'add' | 'commit' | 'restore' | 'reset' | 'revert' | 'init'
  /** Its folder, relative to the dialog's or absolute outside it; absent if it is not known. */
  readonly folder?: string
  /** The files that it names; folders end with a slash. */
  readonly paths?: readonly string[]
  /** It takes every file that git knows (`tracked`) or every file. */
  readonly takes?: 'tracked' | 'all'
  /** The commits that it names. */
  readonly refs?: readonly string[]
  readonly isAmend?: boolean
  /** Neither a status nor an output tells whether the commit was made: git has to know it. */
  readonly isUnproven?: boolean
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
  /** The status of the whole command line; absent if nobody saw it end. */
  readonly exit?: number
  /** What a command line ran, and how each of its programs ended. */
  readonly runs?: readonly Run[]
  /** Of a command line and of a commit: what it did to the repository. */
  readonly git?: readonly GitAct[]
  /** Of a failure the tests that failed and the last lines; of a commit its hash; of a question the answer. */
  readonly tail?: string
  /** The agent's own id of the call: the same deed may stand in two files. */
  readonly call?: string
  /** In a helper's file: when the helper was told to do this. */
  readonly since?: number
}

/** What a record says about a deed, before it is bound to a place. */
export type DeedFacts = Omit<Deed, 'at' | 'place' | 'time' | 'since'> & { readonly time?: number }

/** What is known of a call before its arguments are read. */
export interface CallFacts {
  readonly call?: string
  readonly time?: number
  /** The folder in which the agent's shell stands. */
  readonly cwd?: string
}

/** How a call ended. */
export interface Outcome {
  /** It had no effect: a refused edit, a file that is not there. */
  readonly failed?: boolean
  readonly exit?: number
  readonly tail?: string
  /** What a command printed. */
  readonly output?: string
  readonly lines?: ChangedLines
  readonly kind?: DeedKind
}

/** Something begun, or how something begun earlier ended. */
export type DeedEvent =
  | { readonly begun: DeedFacts; readonly waits?: boolean }
  | { readonly ended: string; readonly outcome: Outcome }
  /** In a helper's file: its lead told it something. */
  | { readonly instructedAt: number }

/** Calls whose results have yet to come, by the agent's own id. */
export type Waiting = ReadonlyMap<string, readonly Deed[]>

/** How one agent's transcript of lines tells what was done. */
export interface DeedFormat {
  /** What a line tells by its bytes alone; most tell nothing, and results are long. */
  glance(line: Buffer, waiting: Waiting): 'parse' | readonly DeedEvent[]
  read(record: unknown): readonly DeedEvent[]
}
