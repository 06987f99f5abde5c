import { dirname } from 'node:path'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { withinTime } from '@secretary-mcp/core/within-time.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { isWithin, projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { DialogIndex } from './dialog-index.ts'
import type { DialogStore } from './dialog-store.ts'
import { isCarried } from './keeping/kept-store.ts'

/** How long it waits for an id that no file read so far has. */
const SEARCHING_MS = 30_000
/** How long it waits for the first request of its own dialog to reach the disk, and how often it looks. */
const FRESH_MS = 2_000
const LOOK_AGAIN_MS = 50
/** How long ago a dialog that may still be open was written to, and how many of them are looked at. */
const OPEN_MS = 3_600_000
const MAX_OPEN = 5

const NEWEST = { limit: 1, offset: 0 }
const MAX_CHATS = 1_000

/** The dialog with an id; of several, one whose file is there, in the caller's project, then the newest. */
export async function findDialog(
  store: DialogStore,
  sessionId: string,
  caller: Caller,
): Promise<Dialog | undefined> {
  const all = await store.findBySession(sessionId)
  // A file that was moved or rewritten in another form left its old entry behind.
  const present = all.filter(({ chatJsonPath }) => chatJsonPath !== undefined)
  // Resuming may leave a second file with the id and nothing in it.
  const asked = present.filter(({ requestsCount }) => requestsCount > 0)
  const same = [asked, present, all].find((some) => some.length > 0) ?? []
  const names = projectNames(caller.project)
  return same.find(({ project }) => isWithin(project, names)) ?? same[0]
}

/**
 * The dialog that the caller is in. Where nobody told which: the newest of this project where its client keeps its dialogs,
 * else the newest of the project.
 */
export async function currentDialog(
  store: DialogStore,
  sources: readonly Source[],
  caller: Caller,
  ownSession: string | undefined,
  window?: string,
): Promise<Dialog | undefined> {
  for (const id of [ownSession, caller.session]) {
    const dialog = id === undefined ? undefined : await findDialog(store, id, caller)
    if (dialog) return dialog
  }
  const projects = projectNames(caller.project)
  const { client } = caller
  if (window !== undefined) {
    const here = await newestIn(store, window)
    // A chat of the editor is in its window, or it is in none: another agent's dialog would be a wrong answer.
    if (here || sources.some(({ name, fits }) => name === 'vscode' && fits(client ?? '')))
      return here
  }
  const fitting =
    client === undefined
      ? []
      : sources.filter((source) => source.fits(client)).map(({ name }) => name)
  const asked = { projects, asked: true, present: true, isOwn: true, ...NEWEST }
  return (
    (await newestOf(store, projects, fitting)) ??
    (await store.list(asked)).dialogs[0] ??
    // Nothing was asked anywhere: the empty one is there, and says so.
    (await store.list({ ...asked, asked: false })).dialogs[0]
  )
}

/** The newest chat of one window of VS Code. */
async function newestIn(store: DialogStore, window: string): Promise<Dialog | undefined> {
  const asked = { source: 'vscode', asked: true, present: true } as const
  const { dialogs } = await store.list({ ...asked, limit: MAX_CHATS, offset: 0 })
  return dialogs.find(({ key }) => dirname(key) === window)
}

/** The newest of the project besides the caller's own; where there is none, the newest that came from another machine. */
export async function earlierDialog(
  store: DialogStore,
  sources: readonly Source[],
  caller: Caller,
  own: string | undefined,
  names: () => Promise<string[]>,
): Promise<Dialog | undefined> {
  const newest = await currentDialog(store, sources, caller, undefined)
  const isOwn = own !== undefined && newest?.sessionId === own
  const here = isOwn ? await secondNewest(store, caller, own) : newest
  return here ?? newestCarried(store, await names())
}

async function newestCarried(
  store: DialogStore,
  projects: readonly string[],
): Promise<Dialog | undefined> {
  const gone = { projects, asked: true, present: false, limit: MAX_CHATS, offset: 0 }
  return (await store.list(gone)).dialogs.find(isCarried)
}

/** The newest in which something was asked, besides one. */
async function secondNewest(
  store: DialogStore,
  { project }: Caller,
  own: string,
): Promise<Dialog | undefined> {
  const asked = { projects: projectNames(project), asked: true, present: true, isOwn: true }
  const { dialogs } = await store.list({ ...asked, limit: 5, offset: 0 })
  return dialogs.find(({ sessionId }) => sessionId !== own)
}

async function newestOf(
  store: DialogStore,
  projects: readonly string[],
  names: readonly SourceName[],
): Promise<Dialog | undefined> {
  const found = await Promise.all(
    names.map((source) => store.list({ projects, source, asked: true, present: true, ...NEWEST })),
  )
  return found.flatMap(({ dialogs }) => dialogs).sort((a, b) => b.lastSeen - a.lastSeen)[0]
}

interface Located {
  readonly index: DialogIndex
  readonly store: DialogStore
  readonly sources: readonly Source[]
  /** The dialog this process was told to belong to. */
  readonly session?: string
  /** The chats of the editor window that started this process. */
  readonly window?: string
  readonly freshMs?: number
  onChange(listener: () => void): () => void
}

/** The dialog with an id, or the one the caller is in. */
export async function locateDialog(
  dialogs: Located,
  caller: Caller,
  sessionId: string | undefined,
  signal: AbortSignal,
): Promise<Dialog | undefined> {
  const { index, store, sources, session, window } = dialogs
  await index.awaitScan(signal)
  const own = sessionId ?? session ?? caller.dialog
  if (sessionId === undefined && session === undefined && own !== undefined)
    return freshDialog(dialogs, caller, own, signal)
  const look = () =>
    sessionId === undefined
      ? currentDialog(store, sources, caller, session, window)
      : findDialog(store, sessionId, caller)
  const found = await look()
  if (sessionId === undefined && session === undefined && isAnothers(found, sources, caller))
    return firstDialog(dialogs, caller, look, signal)
  if (sessionId === undefined && session === undefined && found && window === undefined)
    return latestDialog(dialogs, caller, found)
  if (found) return found
  if (sessionId === undefined && !index.isScanning) return undefined
  // A dialog with a name may have begun since the last look at the disk.
  if (!index.isScanning) index.invalidate()
  await index.refresh(SEARCHING_MS, signal)
  return look()
}

/** An agent whose dialogs are known has none here yet: what was found is another's. */
function isAnothers(
  found: Dialog | undefined,
  sources: readonly Source[],
  caller: Caller,
): boolean {
  const { client } = caller
  if (found === undefined || client === undefined) return false
  const fitting = sources.filter((source) => source.fits(client))
  return fitting.length > 0 && !fitting.some(({ name }) => name === found.source)
}

/**
 * Of several that one kind of agent has open in the project: the one that waits for a call, else the one written to last, as
 * the disk is now. An agent writes down that it calls a tool before it does.
 */
async function latestDialog(
  { index, store }: Located,
  { project, client }: Caller,
  found: Dialog,
): Promise<Dialog> {
  const source = index.sourceOf(found)
  if (client === undefined || !source?.fits(client)) return found
  const { dialogs } = await store.list({
    ...{ projects: projectNames(project), source: source.name, asked: true, present: true },
    ...{ limit: MAX_OPEN, offset: 0 },
  })
  const open = dialogs.filter(({ lastSeen }) => lastSeen > Date.now() - OPEN_MS)
  if (open.length < 2) return found
  const now = await Promise.all(
    open.map(async (dialog) => ({
      dialog: await index.refreshOne(dialog),
      since: (await source.waitsSince?.(dialog.key)) ?? 0,
    })),
  )
  now.sort((a, b) => b.since - a.since || b.dialog.lastSeen - a.dialog.lastSeen)
  return now[0]?.dialog ?? found
}

/** The first dialog of an agent in a project is about to be written; where it does not come, what there is has to do. */
async function firstDialog(
  { index, sources, freshMs = FRESH_MS, onChange }: Located,
  caller: Caller,
  look: () => Promise<Dialog | undefined>,
  signal: AbortSignal,
): Promise<Dialog | undefined> {
  const until = performance.now() + freshMs
  for (;;) {
    const left = until - performance.now()
    const found = await look()
    if (left <= 0 || !isAnothers(found, sources, caller)) return found
    await nextChange(onChange, Math.min(left, LOOK_AGAIN_MS), signal)
    index.invalidate()
    await index.refresh(left, signal)
  }
}

/** The agent said which dialog it is in: another would be a wrong answer, so one about to be written is waited for. */
async function freshDialog(
  { index, store, freshMs = FRESH_MS, onChange }: Located,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<Dialog | undefined> {
  const until = performance.now() + freshMs
  for (;;) {
    const found = await findDialog(store, id, caller)
    const left = until - performance.now()
    if ((found && found.requestsCount > 0) || left <= 0) return found
    await nextChange(onChange, Math.min(left, LOOK_AGAIN_MS), signal)
    index.invalidate()
    await index.refresh(left, signal)
  }
}

async function nextChange(
  onChange: Located['onChange'],
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  let stop = () => {}
  const changed = new Promise<void>((resolve) => {
    stop = onChange(resolve)
  })
  await withinTime(changed, waitMs, signal).finally(stop)
}
