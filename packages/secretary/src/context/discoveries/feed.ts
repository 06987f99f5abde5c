import { redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { Note } from '@secretary-mcp/search/search-types.ts'
import type { Owner } from '../access/access.ts'
import { scopeOfSpace } from '../requests-in-spaces.ts'
import type { Discoveries } from './discoveries.ts'
import type { Discovery } from './discovery.ts'

/** One request of the person and what the agent said to it, as the dialog family tells it. */
export interface FedTurn {
  readonly sessionId: string
  /** From 1 within the session. */
  readonly position: number
  /** Milliseconds. */
  readonly time: number
  readonly request: string
  /** The question that it answers. */
  readonly answers?: string
  /** What the person typed of it, without what was pasted or generated. */
  readonly typed: string
  readonly answer?: string
}

/** A dialog as it is now: one that has grown has another size. */
export interface FedDialog {
  readonly key: string
  readonly sessionId: string
  readonly size: number
  readonly mtimeMs: number
}

/** What the dialog family tells of a project's dialogs. */
export interface DialogFeed {
  /** The number of the last change; it rises with every one, whatever the clock says. */
  latest(caller: Caller, signal: AbortSignal): Promise<number>
  /** The turns of those that changed since a change and are not read yet; those of one dialog come together, in order. */
  turns(
    caller: Caller,
    since: number,
    signal: AbortSignal,
    isRead: (dialog: FedDialog) => boolean,
  ): AsyncIterable<FedTurn>
  /** Whether agents' files are still being read, so that there will be more. */
  isReading(caller: Caller): boolean
  /** The sessions that went since a change and are nowhere else. */
  gone(caller: Caller, since: number, signal: AbortSignal): Promise<string[]>
}

type NoteEngine = Pick<
  SearchEngine,
  | 'putNotes'
  | 'removeNotes'
  | 'noteIdsUnder'
  | 'removeNotesUnder'
  | 'readUntil'
  | 'setReadUntil'
  | 'readSoFar'
  | 'setReadSoFar'
>

const PAGE = 1_000
const ALL = { withArchived: true, isUncounted: true } as const
const MAX_REQUEST = 1_500
const MAX_ANSWER = 1_500
const MAX_NEIGHBOUR = 400

/** A user's notes are a scope of their own, and so are those of a space: no search looks into another's. */
export function noteOf(user: string, discovery: Discovery): Note {
  const { id, type, content, module, session, date, accessCount, spaceId } = discovery
  const about = { type, content: redact(content), module, session, date, accessCount }
  const scope = spaceId === undefined ? user : scopeOfSpace(spaceId)
  return { id, scope, source: 'discovery', ...about }
}

/**
 * The index may have been rebuilt since the last time: it holds nothing that is not kept elsewhere. Older versions put there
 * what is only a suggestion.
 */
export async function feedDiscoveries(
  owner: Owner,
  { engine, discoveries }: { engine: NoteEngine; discoveries: Discoveries },
  signal: AbortSignal,
): Promise<void> {
  for (const state of ['suggested', 'dismissed'] as const) {
    const { discoveries: unwanted } = await discoveries.list(owner, { ...ALL, state, limit: PAGE })
    const ids = unwanted.map(({ id }) => id)
    if (ids.length > 0) await engine.removeNotes(owner.user, ids)
  }
  for (let offset = 0; ; offset += PAGE) {
    const page = await discoveries.list(owner, { ...ALL, limit: PAGE, offset })
    const notes = page.discoveries.map((discovery) => noteOf(owner.user, discovery))
    if (notes.length > 0) await engine.putNotes(notes, signal)
    if (notes.length < PAGE) return
  }
}

/** Clocks differ, and what was begun before may be stored later. */
const OVERLAP_MS = 60_000

/**
 * What was recorded through other processes since the last time; the ids that came are remembered by the caller. Without spaces
 * where the database finds their notes by itself.
 */
export async function feedFromOthers(
  caller: Caller,
  { engine, discoveries }: { engine: NoteEngine; discoveries: Discoveries },
  seen: { since: number; readonly ids: Set<string> },
  { withSpaces }: { readonly withSpaces: boolean },
): Promise<void> {
  const began = Date.now()
  // A moment in the future was remembered before the clock was set back: what came since cannot be told apart.
  const since = new Date(seen.since > began ? 0 : seen.since - OVERLAP_MS).toISOString()
  const latest = new Set<string>()
  for (let offset = 0; offset === latest.size; offset += PAGE) {
    const filter = { ...ALL, withSpaces, since, limit: PAGE, offset }
    const page = (await discoveries.list(caller, filter)).discoveries
    const fresh = page.filter(({ id }) => !seen.ids.has(id))
    if (fresh.length > 0)
      await engine.putNotes(fresh.map((discovery) => noteOf(caller.user, discovery)))
    for (const { id } of page) latest.add(id)
  }
  seen.ids.clear()
  for (const id of latest) seen.ids.add(id)
  seen.since = began
}

/** Progress is written down this often, and when the reading ends. */
const SAVE_EVERY_MS = 500

/**
 * Turns that came since the last time become notes, and what the person stated in them becomes suggestions. What is gone from a
 * dialog, or with it, is no longer found. A reading that is interrupted goes on where it was: a command may end long before
 * hundreds of dialogs are read.
 */
export async function feedDialogs(
  caller: Caller,
  {
    engine,
    discoveries,
    dialogs,
  }: { engine: NoteEngine; discoveries: Discoveries; dialogs: DialogFeed },
  signal: AbortSignal,
  onRead: () => void = () => {},
): Promise<void> {
  const latest = await dialogs.latest(caller, signal)
  const until = await engine.readUntil(caller.user)
  // A mark beyond everything stored is one of another database, or of an older version that took it from the clock.
  const since = until > latest ? 0 : until + 1
  for (const sessionId of await dialogs.gone(caller, since, signal))
    await engine.removeNotesUnder(caller.user, sessionPrefix(sessionId))
  const progress = await engine.readSoFar(caller.user)
  const met = new Map<string, FedDialog>()
  const isRead = (dialog: FedDialog) => {
    met.set(dialog.sessionId, dialog)
    return progress.get(dialog.key) === stampOf(dialog)
  }
  let savedAt = performance.now()
  try {
    for await (const dialog of dialogsOf(dialogs.turns(caller, since, signal, isRead))) {
      signal.throwIfAborted()
      const sessionId = dialog[0]?.sessionId ?? ''
      await replaceNotes(engine, caller.user, sessionId, notesOf(caller.user, dialog), signal)
      await discoveries.suggest(
        caller,
        sessionId,
        dialog.map(({ typed, position }) => ({ typed, request: position })),
        dateOf(dialog.at(-1)),
      )
      const read = met.get(sessionId)
      if (read) progress.set(read.key, stampOf(read))
      onRead()
      if (performance.now() - savedAt < SAVE_EVERY_MS) continue
      await engine.setReadSoFar(caller.user, progress)
      savedAt = performance.now()
    }
  } catch (error) {
    await engine.setReadSoFar(caller.user, progress)
    throw error
  }
  await engine.setReadUntil(caller.user, latest)
  await engine.setReadSoFar(caller.user, new Map())
}

function stampOf({ size, mtimeMs }: FedDialog): string {
  return `${size}/${mtimeMs}`
}

/** Notes that are the same as before keep their vectors. */
async function replaceNotes(
  engine: NoteEngine,
  user: string,
  sessionId: string,
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<void> {
  const kept = new Set(notes.map(({ id }) => id))
  const before = await engine.noteIdsUnder(user, sessionPrefix(sessionId))
  await engine.removeNotes(
    user,
    before.filter((id) => !kept.has(id)),
  )
  await engine.putNotes(notes, signal)
}

async function* dialogsOf(turns: AsyncIterable<FedTurn>): AsyncGenerator<FedTurn[]> {
  let dialog: FedTurn[] = []
  for await (const turn of turns) {
    if (dialog[0] && dialog[0].sessionId !== turn.sessionId) {
      yield dialog
      dialog = []
    }
    dialog.push({
      ...turn,
      request: turn.request.slice(0, MAX_REQUEST),
      typed: turn.typed.slice(0, MAX_REQUEST),
      answer: turn.answer?.slice(0, MAX_ANSWER),
    })
  }
  if (dialog.length > 0) yield dialog
}

function sessionPrefix(sessionId: string): string {
  return `${sessionId}/`
}

const MAX_UNTYPED = 600

export interface FoundTurn {
  readonly sessionId: string
  readonly position: number
  readonly score: number
  /** Who shares it, where it is not the caller's own. */
  readonly by?: string
}

/** From a note's id back to the turn. */
export function turnOf(id: string, score: number): FoundTurn {
  const cut = id.lastIndexOf('/')
  return { sessionId: id.slice(0, cut), position: Number(id.slice(cut + 1)), score }
}

function notesOf(user: string, dialog: readonly FedTurn[]): Note[] {
  return dialog.map((turn, place) => ({
    id: `${sessionPrefix(turn.sessionId)}${turn.position}`,
    scope: user,
    source: 'session',
    content: [wordsOf(turn), turn.answers && `(answers: ${turn.answers})`, turn.answer]
      .filter(Boolean)
      .join('\n\n'),
    // What was pasted helps to find the turn, but less than what the person typed.
    neighbours: [
      ...[dialog[place - 1], dialog[place + 1]].map((near) =>
        near ? wordsOf(near).slice(0, MAX_NEIGHBOUR) : '',
      ),
      ...(wordsOf(turn) === turn.request ? [] : [turn.request]),
    ].join('\n'),
    session: turn.sessionId,
    date: dateOf(turn),
  }))
}

/** A request in which nothing was typed, such as a log or an approved plan, is known by its beginning: the rest was not said. */
function wordsOf({ typed, request }: FedTurn): string {
  return typed.trim() === '' ? request.slice(0, MAX_UNTYPED) : typed
}

function dateOf(turn: FedTurn | undefined): string {
  const time = turn?.time ?? Date.now()
  return new Date(Number.isFinite(time) && Math.abs(time) < 8e15 ? time : 0).toISOString()
}
