import { dirname } from 'node:path'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { isWithin, projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import { isCarried } from './carrying/carried-key.ts'
import type { DialogStore } from './dialog-store.ts'

const NEWEST = { limit: 1, offset: 0 }
const MOST_CHATS = 1_000

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
  const { dialogs } = await store.list({ ...asked, limit: MOST_CHATS, offset: 0 })
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
  const gone = { projects, asked: true, present: false, limit: MOST_CHATS, offset: 0 }
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
