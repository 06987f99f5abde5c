import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type DialogParts, Dialogs } from '@secretary-mcp/secretary/dialogs/dialogs.ts'
import { createDialogStore } from '@secretary-mcp/secretary/dialogs/store/dialog-store.ts'
import { sqliteDatabase } from '@secretary-mcp/secretary/storage/open-database.ts'
import { openForeign } from '@secretary-mcp/transcripts/foreign-database.ts'
import { createSources } from '@secretary-mcp/transcripts/sources/sources.ts'
import { onTestFinished } from 'vitest'
import { AgentsHome } from './agents-home.ts'
import { placeMigratedFile } from './migrated-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface DialogsUnderTest {
  readonly home: AgentsHome
  readonly dialogs: Dialogs
  readonly caller: Caller
  /** What was said to the log, by path. */
  readonly warnings: { path: string; why: string }[]
  /** A second service over the same disk and index, as after a restart. */
  again(parts?: Partial<DialogParts>): Dialogs
}

/** The real service over a temporary home and a database of its own. */
export function dialogsUnderTest(parts: Partial<DialogParts> = {}): DialogsUnderTest {
  const home = new AgentsHome(temporaryFolder())
  const warnings: { path: string; why: string }[] = []
  const warn = (fields: object | string) =>
    void warnings.push(fields as { path: string; why: string })
  const log: Log = { trace() {}, debug() {}, info() {}, error() {}, warn }
  const database = sqliteDatabase(placeMigratedFile(home.path('.secretary', 'secretary.db')))
  const sources = createSources(
    { home: home.home, platform: 'linux', project: home.project },
    openForeign,
  )
  const again = (more: Partial<DialogParts> = {}) => {
    const dialogs = new Dialogs({
      store: createDialogStore(database, 'ada@here'),
      sources,
      log,
      user: 'ada',
      // The disk of a busy machine may be slow.
      patienceMs: 60_000,
      ...parts,
      ...more,
    })
    onTestFinished(() => dialogs.close())
    return dialogs
  }
  onTestFinished(() => database.close())
  return { home, dialogs: again(), caller: { user: 'ada', project: home.project }, warnings, again }
}

export const noSignal = new AbortController().signal

/** A line of a Claude Code transcript. */
export const line = (text: string, more: object = {}): string =>
  `${JSON.stringify({ type: 'user', message: { content: text }, ...more })}\n`

/** All requests of a session, in full, as they are on the disk now. */
export async function requestsNow(
  { dialogs, caller }: DialogsUnderTest,
  sessionId: string,
): Promise<unknown[]> {
  dialogs.index.invalidate()
  const all: unknown[] = []
  for (;;) {
    const asked = dialogs.getRequest(caller, all.length + 1, sessionId, noSignal)
    const result = await asked.catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
    })
    if (!result) return all
    all.push(result.value?.request)
  }
}
