import { lstat } from 'node:fs/promises'
import type { Repository } from '@secretary-mcp/core/files/repository.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { BareTurn, Source } from '@secretary-mcp/transcripts/source.ts'
import type { IndexedDialog, KnownStamp } from '../dialog-store.ts'

export const DAY_MS = 86_400_000

/** Such keys belong to no source's folder, so their file counts as gone, and not as deleted. */
export const CARRIED = 'sync:'

/** Everything that was read of a dialog, without secrets: enough to answer when its file is gone. */
export interface KeptDialog {
  readonly dialog: IndexedDialog
  readonly lead?: string
  readonly turns: readonly BareTurn[]
  readonly deeds: readonly Deed[]
  /** Of its folder, where that is on another machine. */
  readonly repository?: Repository
}

export type KeptStamp = Pick<Dialog, 'size' | 'mtimeMs'>

/** What names a dialog for good: its file, its session, and for a helper its lead's session. */
export type Named = Pick<Dialog, 'key' | 'source' | 'sessionId'> & { readonly lead?: string }

/** The words and deeds of dialogs, in a file of this machine that nobody cleans up. */
export interface KeptStore {
  stamps(): Promise<Map<string, KeptStamp>>
  save(kept: KeptDialog): Promise<void>
  find(key: string): Promise<KeptDialog | undefined>
  remove(keys: readonly string[]): Promise<void>
  /** Removes what was last written before a moment. */
  removeBefore(timeMs: number): Promise<void>
  /** Removes dialogs, and notes that they must never be read again. */
  forget(dialogs: readonly Named[]): Promise<void>
  /** The files of dialogs that the person had removed for good. */
  forgottenKeys(): Promise<ReadonlySet<string>>
  /** The sessions that they were in. */
  forgottenSessions(): Promise<Pick<Named, 'source' | 'sessionId'>[]>
  isForgotten(dialog: Named): Promise<boolean>
  /** Another one means that somebody, maybe another process, has changed the file. */
  version(): Promise<number>
  close(): Promise<void>
}

/** What speaks for and against a dialog of a file without an owner being a user's. */
export interface DialogClaim {
  readonly key: string
  /** Whether the user's own index has it, or had it until it was removed. */
  readonly mine?: 'there' | 'removed'
  /** Whether another user's index on this machine has it or had it. */
  readonly isOthers: boolean
  /** Whether its file is, or was, where the user's agents store theirs. */
  readonly isInOwnFolder: boolean
}

/**
 * Two of three say so. No sign is enough alone: an index was lost, a folder was moved, and an index has taken in what others kept
 * in the same file.
 */
export function isClaimed({ mine, isOthers, isInOwnFolder }: DialogClaim): boolean {
  return [mine !== undefined, !isOthers, isInOwnFolder].filter(Boolean).length >= 2
}

/** It came into the user's index from what another user kept. */
export function isStranger({ mine, isOthers, isInOwnFolder }: DialogClaim): boolean {
  return mine === 'there' && isOthers && !isInOwnFolder
}

/** It came from another machine: its file was never here. */
export function isCarried({ key }: Pick<Dialog, 'key'>): boolean {
  return key.startsWith(CARRIED)
}

/**
 * Why a dialog is no longer listed. `away`: the disk or folder it was on is not there, so nothing is known. `cleaned`: so old that
 * its agent deletes it. `deleted`: by the person, or replaced by another file.
 */
type Fate = 'away' | 'cleaned' | 'deleted'

export async function fateOf(
  key: string,
  { mtimeMs }: Pick<KnownStamp, 'mtimeMs'>,
  sources: readonly Source[],
): Promise<Fate> {
  const home = homeOf(key, sources)
  if (!home || (await isThere(home.root)) !== 'yes') return 'away'
  // A row of a database is not there where its source does not list it.
  const there = key.startsWith(`${home.root}#`) ? 'no' : await isThere(key)
  if (there === 'unknown') return 'away'
  const days = there === 'yes' ? undefined : await home.source.cleanupDays?.()
  if (days === undefined) return 'deleted'
  return Date.now() - mtimeMs >= days * DAY_MS ? 'cleaned' : 'deleted'
}

/** The source that a key belongs to, by the longest of the folders that may hold it. */
export function homeOf(
  key: string,
  sources: readonly Source[],
): { readonly source: Source; readonly root: string } | undefined {
  return sources
    .flatMap((source) => source.roots.map((root) => ({ source, root })))
    .filter(({ root }) => key.startsWith(root) && /^[/\\#]/.test(key.slice(root.length)))
    .sort((a, b) => b.root.length - a.root.length)[0]
}

async function isThere(path: string): Promise<'yes' | 'no' | 'unknown'> {
  try {
    await lstat(path)
    return 'yes'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'no' : 'unknown'
  }
}
