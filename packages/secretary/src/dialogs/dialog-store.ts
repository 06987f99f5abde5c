import type { Dialog, LeftOutParts, Reading } from '@secretary-mcp/transcripts/dialog.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'

const PAGE = 1000

export interface IndexedDialog extends Dialog {
  readonly reading: Reading
}

export interface DialogFilter {
  /** Names of the project; its folder also stands for everything below it. */
  readonly projects?: readonly string[]
  readonly source?: SourceName
  /** Without what lies in a repository, where anybody may have written it. */
  readonly isOwn?: boolean
  /** Only those in which something was asked. */
  readonly asked?: boolean
  /** Only those whose file is there, or only those whose file is gone. */
  readonly present?: boolean
  /** Those that were deleted, and nothing else. */
  readonly removed?: boolean
  /** Only those that the index added or updated with this change or a later one. */
  readonly storedSince?: number
  /** Times of the last request, in milliseconds. */
  readonly since?: number
  readonly until?: number
  readonly limit: number
  readonly offset: number
}

export interface Facets {
  readonly sources: string[]
  readonly projects: string[]
}

export interface KnownStamp {
  readonly size: number
  readonly mtimeMs: number
  /** The agent's file is no longer there. */
  readonly gone: boolean
  /** Nothing of it is kept either. */
  readonly removed?: boolean
}

/** What the family needs from storage: the index. Full texts stay in the agents' files. */
export interface DialogStore {
  /** Rises when the store lost what it held: the stamps that somebody remembers no longer count. */
  readonly generation: number
  stamps(): Promise<Map<string, KnownStamp>>
  /** Newest first. */
  list(filter: DialogFilter): Promise<{ dialogs: Dialog[]; total: number }>
  /** What there is to choose from: agents and projects that have a dialog. */
  facets(): Promise<Facets>
  /** Of all in which something was asked, in no order. */
  sessionIds(): Promise<string[]>
  /** Newest first; two sources may know the same id. */
  findBySession(sessionId: string): Promise<Dialog[]>
  findReading(key: string): Promise<Reading | undefined>
  /** The number of the last change, or 0: each has a higher one than those before. */
  latestChange(): Promise<number>
  save(dialogs: readonly IndexedDialog[]): Promise<void>
  /** The files are gone; what the index knew of them stays. */
  markGone(keys: readonly string[]): Promise<void>
  /** Nothing of them stays but that they were there. */
  remove(keys: readonly string[]): Promise<void>
  /** Dialogs that were there and have been deleted. */
  findRemoved(sessionId: string): Promise<Dialog[]>
  /** Files of which a part could not be read, newest first. */
  leftOut(): Promise<LeftOutFile[]>
}

export interface LeftOutFile extends LeftOutParts {
  readonly path: string
}

/** All dialogs that pass, newest first, however many there are. */
export async function everyDialog(
  store: DialogStore,
  filter: Omit<DialogFilter, 'limit' | 'offset'>,
): Promise<Dialog[]> {
  const all = new Map<string, Dialog>()
  for (let offset = 0; ; offset += PAGE) {
    const { dialogs } = await store.list({ ...filter, limit: PAGE, offset })
    for (const dialog of dialogs) all.set(dialog.key, dialog)
    if (dialogs.length < PAGE) return [...all.values()]
  }
}
