import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import type { DialogIndex } from '../dialog-index.ts'
import { everyDialog } from '../dialog-store.ts'
import type { Dialogs } from '../dialogs.ts'
import type { KeptStore } from './kept-store.ts'

export interface Forgettable {
  readonly sessionId?: string
  /** Only those of the caller's project. */
  readonly isProject?: boolean
  /** Only those in which nothing was said since. */
  readonly before?: number
}

/** The dialogs that a person means, newest first. */
export async function dialogsToForget(
  dialogs: Dialogs,
  caller: Caller,
  { sessionId, isProject, before }: Forgettable,
  signal: AbortSignal,
): Promise<Dialog[]> {
  if (sessionId !== undefined) {
    const { sessionId: id } = await dialogs.require(caller, sessionId, signal)
    return dialogs.store.findBySession(id)
  }
  if (!(await dialogs.ready(caller, signal))) return []
  const projects = isProject ? await dialogs.deeds.namesOf(caller.project) : undefined
  const until = before === undefined ? undefined : before - 1
  return everyDialog(dialogs.store, { projects, until })
}

/** The marks come first: from then on no scan, here or in another process, brings them back. */
export async function forgetDialogs(
  parts: { kept?: KeptStore; deeds?: DeedStore; index: DialogIndex },
  dialogs: readonly Dialog[],
): Promise<void> {
  const keys = new Set<string>()
  for (const dialog of dialogs) {
    const { key, sessionId } = dialog
    const helpers = (await parts.deeds?.keysOf(sessionId)) ?? []
    const own = [...new Set([key, ...helpers])]
    await parts.kept?.forget(own.map((one) => ({ ...dialog, key: one })))
    for (const one of own) keys.add(one)
  }
  await parts.index.drop([...keys])
}
