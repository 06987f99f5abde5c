import type { Repository } from '@secretary-mcp/core/files/repository.ts'
import type { CommandKind, Deed, DeedKind, Run } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { RequestWords, WordsOfDialog } from '../words/word-ranking.ts'
import type { SameProjects } from './work-places.ts'

/** What one read of a dialog's file brought. */
export interface DialogDeeds {
  readonly key: string
  readonly sessionId: string
  readonly source: SourceName
  readonly project?: string
  /** Of the dialog's folder, as long as it is there. */
  readonly repository?: Repository
  /** The session that a helper works for. */
  readonly lead?: string
  readonly deeds: readonly Deed[]
  /** The words of its requests; undefined if they are only in the file. */
  readonly requests?: WordsOfDialog
  /** Replaces what was known. */
  readonly isWhole: boolean
}

/** A folder in which agents worked. Its repository is known even when the folder is gone. */
export interface WorkPlace {
  readonly project: string
  readonly repository?: Repository
}

/** A deed with the dialog it belongs to: for a helper's, its lead's session. */
export interface StoredDeed extends Deed {
  readonly id: number
  readonly key: string
  readonly sessionId: string
  readonly source: SourceName
  readonly project?: string
  readonly isHelper: boolean
}

export interface DeedFilter {
  /** Folders of dialogs; each also stands for what lies below it. */
  readonly projects?: readonly string[]
  readonly sessionId?: string
  /** Only those that stand in one dialog's own file. */
  readonly key?: string
  readonly kinds?: readonly DeedKind[]
  readonly commandKinds?: readonly CommandKind[]
  /** Only commands that failed, or one of whose programs did. */
  readonly isFailed?: boolean
  /** Only deeds on one of these paths, as stored. */
  readonly paths?: readonly string[]
  /** Newest first. */
  readonly limit: number
}

/** Command lines that ran the same programs and ended alike. */
export interface RepeatedRuns {
  readonly runs: readonly Run[]
  /** What a failed task printed. */
  readonly tail?: string
  readonly count: number
  /** Of the newest of them. */
  readonly time: number
  readonly sessionId: string
}

/** The deeds of this machine's dialogs, in an index of their own. */
export interface DeedStore {
  /** Without it no clone is the same project as another. */
  readonly sameProjects?: SameProjects
  /** The dialogs whose deeds were read. */
  known(): Promise<ReadonlySet<string>>
  places(): Promise<WorkPlace[]>
  save(dialogs: readonly DialogDeeds[]): Promise<void>
  find(filter: DeedFilter): Promise<StoredDeed[]>
  /** What the commands of the projects ran; a project's commands repeat, so these are few. */
  findRuns(projects: readonly string[]): Promise<RepeatedRuns[]>
  /** Changes that brought one of these lines, in any file of the projects. */
  findByLines(prints: readonly number[], projects: readonly string[]): Promise<StoredDeed[]>
  /** By dialog's key; without the dialogs of which they are not known. */
  findWords(keys: readonly string[]): Promise<Map<string, RequestWords[]>>
  /** The files of a session: its own and its helpers'. */
  keysOf(sessionId: string): Promise<string[]>
  forget(keys: readonly string[]): Promise<void>
  /** Another one means that another process, such as a `sync`, has changed them. */
  version(): Promise<number>
  close(): Promise<void>
}
