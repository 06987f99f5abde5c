import type { Deed } from './deeds/deed.ts'
import type { Mark, Reading, ReadResult, Turn } from './dialog.ts'
import type { SourceName } from './source-names.ts'

/** A dialog on the disk, before it is read. */
export interface Found {
  /** The file's path, with `#id` behind it where one file holds several dialogs. */
  readonly key: string
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

/** What every read gets: a way to stop it, and a way to say that something was left out. */
export interface ReadContext {
  readonly signal: AbortSignal
  readonly warn: (path: string, why: string) => void
  /** Somebody keeps deeds: without that only words are read where the two can be told apart. */
  readonly wantsDeeds?: boolean
}

export type BareTurn = Pick<Turn, 'position' | 'time' | 'request' | 'answer' | 'answerLength'>

/** Which turns of a dialog, by their numbers, and how much of each answer. */
export interface TurnsWanted {
  readonly from?: number
  readonly to?: number
  readonly longestAnswer?: number
}

/** One agent's dialogs: which there are, and what each holds. Nothing is ever written there. */
export interface Source {
  readonly name: SourceName
  /** Where its files are: while one of these is not there at all, nothing in it counts as deleted. */
  readonly roots: readonly string[]
  /** After how many days without a change the agent deletes a file by itself; absent where it never does. */
  cleanupDays?(): Promise<number | undefined>
  /** Whether a client that announced itself so keeps its dialogs here. */
  fits(client: string): boolean
  list(context: ReadContext): Promise<Found[]>
  /** What one dialog's stamp is now; undefined where it is gone. */
  stat(key: string, path: string): Promise<Found | undefined>
  /** Whether the person put a dialog aside, in the agent itself. */
  isArchived?(path: string): Promise<boolean>
  /** When the call began that a dialog now waits for; absent where only the stamp tells of it. */
  waitsSince?(key: string): Promise<number | undefined>
  /** Goes on from what is known where the file only grew. */
  read(found: Found, known: Reading | undefined, context: ReadContext): Promise<ReadResult>
  /** The full text of a request; undefined where the bytes are no longer what they were. */
  text(path: string, mark: Mark): Promise<string | undefined>
  /** The lines that came and went with a change, where they are found without reading the whole dialog again. */
  diffAt?(path: string, deed: Pick<Deed, 'at' | 'place' | 'lines'>): Promise<string | undefined>
  turns(
    found: Found,
    reading: Reading,
    context: ReadContext,
    wanted?: TurnsWanted,
  ): AsyncIterable<BareTurn>
}
