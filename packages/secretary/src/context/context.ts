import { nameOfProject } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isDamage } from '@secretary-mcp/search/index-store.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import { isFromChosen } from '../space.ts'
import {
  AccessLog,
  type AccessStore,
  type FileAccess,
  type Session,
  type SessionFile,
  sessionStatus,
} from './access/access.ts'
import type { ContextSearchAnswer, ContextSearchRequest } from './context-search.ts'
import { type CheckedDiscovery, Discoveries, type NewDiscovery } from './discoveries/discoveries.ts'
import type {
  Discovery,
  DiscoveryFilter,
  DiscoveryStore,
  Verdict,
} from './discoveries/discovery.ts'
import { type DialogFeed, type FoundTurn, noteOf, turnOf } from './discoveries/feed.ts'
import type { LineRange, ReadFile } from './files/file-reader.ts'
import type { GrepAnswer, GrepRequest } from './grep/grep.ts'
import type { Dependency } from './imports/dependencies.ts'
import { type FoundNote, findNotes, type NoteSight } from './notes-in-sight.ts'
import type { Pack, PackPorts } from './pack/pack-types.ts'
import { Preparation, type SearchEngineOf } from './preparation.ts'
import {
  type ContextSpaces,
  RequestFeed,
  type RequestsInSpaces,
  readableScopes,
  requestNamed,
  spacesOf,
} from './requests-in-spaces.ts'
import type { SpaceNotes } from './space-notes/space-notes.ts'

export interface ReadRequest extends LineRange {
  readonly path: string
  readonly includeDeps: boolean
  readonly maxDepth: number
}

export interface ReadAnswer extends Pick<ReadFile, 'file' | 'metadata'> {
  readonly dependencies: Dependency[]
  readonly message?: string
}

interface Parts {
  readonly accesses: AccessStore
  readonly discoveries: DiscoveryStore
  readonly engineOf: SearchEngineOf
  readonly reopenEngine: (project: string) => Promise<void>
  /** Absent where the dialog family is off. */
  readonly dialogs?: DialogFeed
  readonly indexesCode?: boolean
  readonly hasOthers?: boolean
  /** Told of every file that was read, before the answer goes out; never rejects. */
  readonly fileRead?: (caller: Caller, path: string) => Promise<void>
  readonly spaces?: ContextSpaces
  readonly requests?: RequestsInSpaces
  /** Where the database finds notes of spaces by itself. */
  readonly spaceNotes?: SpaceNotes
  /** What the other families add to a pack. */
  readonly pack?: PackPorts
  readonly log: Log
}

/** A person's current sessions on so many servers become one. */
const MAX_DECISIONS = 200
const MAX_SERVERS = 20
/** Long enough for a small project to be indexed for the first time. */
const PACK_WAIT_MS = 1_500
const SUGGESTIONS_WAIT_MS = 1_500

/** What the project knows: its files, its text, and what was learned about it. */
export class Context {
  readonly #accesses: AccessLog
  readonly #accessStore: AccessStore
  readonly #discoveries: Discoveries
  readonly #preparation: Preparation
  readonly #fileRead: NonNullable<Parts['fileRead']>
  readonly #packPorts: PackPorts
  readonly #hasOthers: boolean
  readonly #spaces?: ContextSpaces
  readonly #requests?: RequestsInSpaces
  readonly #spaceNotes?: SpaceNotes
  readonly #log: Log

  constructor({
    accesses,
    discoveries,
    engineOf,
    reopenEngine,
    dialogs,
    indexesCode = true,
    hasOthers = false,
    fileRead = async () => {},
    pack = {},
    spaces,
    requests,
    spaceNotes,
    log,
  }: Parts) {
    this.#log = log
    this.#spaces = spaces
    this.#requests = requests
    this.#spaceNotes = spaceNotes
    this.#hasOthers = hasOthers
    this.#fileRead = fileRead
    this.#packPorts = pack
    this.#accessStore = accesses
    this.#accesses = new AccessLog(accesses, log)
    this.#discoveries = new Discoveries(discoveries)
    this.#preparation = new Preparation({
      engineOf,
      reopenEngine,
      dialogs,
      indexesCode,
      requests: requests && new RequestFeed(requests),
      log,
      discoveries: this.#discoveries,
    })
  }

  /** For as long as a server runs: every index that is made is kept up with the project. */
  watch(): void {
    this.#preparation.watch()
  }

  async read(caller: Caller, request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer> {
    const { project } = caller
    const { path, includeDeps, maxDepth, startLine, endLine } = request
    this.#preparation.beginSoon(caller)
    const { readProjectFile } = await import('./files/file-reader.ts')
    const { file, metadata, modifiedMs } = await readProjectFile(
      project,
      path,
      { startLine, endLine },
      signal,
    )
    await this.#used(caller, { file: file.path })
    await this.#fileRead(caller, file.path)
    if (!includeDeps || maxDepth === 0) return { file, dependencies: [], metadata }
    const source = { path: file.path, text: file.content, modifiedMs }
    const { dependenciesOf } = await import('./imports/dependencies.ts')
    const { dependencies, left } = await dependenciesOf(project, source, signal)
    return {
      file,
      dependencies,
      metadata,
      ...(left > 0 ? { message: `${left} more dependencies are not shown` } : {}),
    }
  }

  async grep(caller: Caller, request: GrepRequest, signal: AbortSignal): Promise<GrepAnswer> {
    this.#preparation.beginSoon(caller)
    await this.#used(caller, { topic: request.pattern })
    const { grep } = await import('./grep/grep.ts')
    return grep(caller.project, request, signal)
  }

  async search(
    caller: Caller,
    request: ContextSearchRequest,
    signal: AbortSignal,
  ): Promise<ContextSearchAnswer> {
    // Written while it is searched: the two ask nothing of each other.
    const used = this.#used(caller, { topic: request.query })
    const { contextSearch } = await import('./context-search.ts')
    const answer = await contextSearch(caller, request, this.#noteParts, signal)
    await used
    return answer
  }

  /** Every dialog is in the index when this resolves. */
  readDialogs(
    caller: Caller,
    { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: () => void },
  ): Promise<void> {
    return this.#preparation.readDialogs(caller, signal, onRead)
  }

  /** What was learned, and turns of the caller's dialogs, best first. */
  findNotes(
    caller: Caller,
    wanted: Parameters<typeof findNotes>[1],
    signal: AbortSignal,
  ): Promise<FoundNote[]> {
    return findNotes(caller, wanted, this.#noteParts, signal)
  }

  async pack(
    caller: Caller,
    request: { readonly goal: string; readonly budget: number },
    signal: AbortSignal,
  ): Promise<Pack> {
    const { packFor } = await import('./pack/pack.ts')
    this.#preparation.begin(caller)
    await this.#preparation.settled(caller, PACK_WAIT_MS, signal)
    const engine = await this.engineOf(caller.project)
    return packFor(caller, request, { engine, notes: this, ports: this.#packPorts }, signal)
  }

  /** Kept first, and in the index a moment later; the next start puts there what was lost on the way. */
  async record(
    caller: Caller,
    given: Omit<NewDiscovery, 'space'> & { readonly space?: string },
  ): Promise<{ discovery: CheckedDiscovery; merged: boolean }> {
    const space =
      given.space === undefined
        ? undefined
        : await this.#spaces?.require(caller, given.space, 'contribute')
    const session = given.session ?? (await this.currentSession(caller)).id
    const { discovery, merged } = await this.#discoveries.record(caller, {
      ...given,
      session,
      space,
      dialog: caller.dialog,
    })
    await this.#used(caller, {})
    await fileDiscovery(caller, discovery, this.#noteParts)
    const [checked] = merged ? await this.#discoveries.check(caller, [discovery]) : []
    return { discovery: checked ?? { ...discovery, changedFiles: [] }, merged }
  }

  /** Recorded and confirmed ones, unless the filter asks for suggestions. */
  async discoveries(
    caller: Caller,
    filter: DiscoveryFilter,
  ): Promise<{ discoveries: CheckedDiscovery[]; total: number }> {
    const wanted = { withSpaces: true, ...filter }
    const { discoveries, total } = await this.#discoveries.list(caller, wanted)
    return { discoveries: await this.#discoveries.check(caller, discoveries), total }
  }

  /** What the person typed in dialogs that may be worth keeping. Dialogs are read first, for a moment; the rest comes later. */
  async suggestions(
    caller: Caller,
    page: { readonly limit: number; readonly offset: number },
    signal: AbortSignal,
  ): Promise<{ discoveries: CheckedDiscovery[]; total: number; isReading: boolean }> {
    this.#preparation.begin(caller)
    await this.#preparation.fed(caller, SUGGESTIONS_WAIT_MS, signal)
    const isReading = this.#preparation.isReading(caller)
    return { ...(await this.discoveries(caller, { ...page, state: 'suggested' })), isReading }
  }

  /** What a person says about a suggestion; undefined where there is none with this id. A confirmed one is found from now on. */
  async judge(caller: Caller, id: string, verdict: Verdict): Promise<Discovery | undefined> {
    const discovery = await this.#discoveries.judge(caller, id, verdict)
    if (discovery && verdict === 'confirmed')
      await fileDiscovery(caller, discovery, this.#noteParts)
    return discovery
  }

  /** Turns of the person's dialogs, or of shared ones too, by words and meaning; undefined until the index is there. */
  async findTurns(
    caller: Caller,
    query: string,
    { limit, withSpaces }: { readonly limit: number; readonly withSpaces?: boolean },
    signal: AbortSignal,
  ): Promise<FoundTurn[] | undefined> {
    const engine = await this.#preparation.engineOf(caller.project)
    this.#preparation.begin(caller)
    if (!this.#preparation.isSettled(caller)) return undefined
    try {
      const spaces = withSpaces ? await spacesOf(caller, this.#spaces, signal) : []
      if (withSpaces)
        await this.#preparation.caughtUp(caller, this.#spaceNotes ? [] : spaces, spaces)
      const scopes = readableScopes(caller, spaces)
      const wanted = { query, sources: ['session' as const], scopes, limit }
      const { results } = await engine.search(wanted, signal)
      return results.map(({ id, score }) => ({ ...turnOf(id, score), ...requestNamed(id) }))
    } catch (error) {
      if (!isDamage(error)) throw error
      await this.#preparation.reopen(caller.project)
      return undefined
    }
  }

  /** For a recall: what was decided, newest first, one line each; with spaces given, no others' decisions. */
  async recentDecisions(
    caller: Caller,
    limit: number,
    spaces?: readonly string[],
  ): Promise<{ lines: string[]; total: number; tool: string }> {
    const wanted = { type: 'decision', limit: spaces ? MAX_DECISIONS : limit } as const
    const { discoveries, total } = await this.discoveries(caller, wanted)
    const told = decisionLines(discoveries).filter(({ space }) => isFromChosen(space, spaces))
    return {
      lines: told.slice(0, limit).map(({ text }) => text),
      total: total - (discoveries.length - told.length),
      tool: 'context_search with type decision',
    }
  }

  /** For somebody about to change a file: what was decided about it in other sessions, newest first. */
  async decisionsAbout(caller: Caller, file: string, session?: string): Promise<DecisionNote[]> {
    const wanted = { type: 'decision', limit: MAX_DECISIONS } as const
    const { discoveries } = await this.discoveries(caller, wanted)
    return notesAbout(discoveries, file, session)
  }

  /** For a recall: the files that are used most and latest, best first. */
  async filesAtHand(caller: Caller, limit: number): Promise<{ lines: string[]; total: number }> {
    const { files, total } = await this.topFiles(caller, limit)
    return { lines: files.map(({ path }) => path), total }
  }

  async topFiles(caller: Caller, limit: number): Promise<{ files: FileAccess[]; total: number }> {
    await this.#accesses.flush()
    return this.#accessStore.topFiles(caller, limit, new Date().toISOString())
  }

  async currentSession(caller: Caller): Promise<Session> {
    const own = this.#accesses.currentSession(caller)
    if (!this.#hasOthers) return own
    const stored = await this.#accessStore.recentSessions(caller, MAX_SERVERS)
    return mergeSessions(own, stored, Date.now())
  }

  async recentSessions(caller: Caller, limit: number): Promise<Session[]> {
    await this.#accesses.flush()
    return this.#accessStore.recentSessions(caller, limit)
  }

  /** Another server may be asked next: it must know of it then. */
  async #used(caller: Caller, use: Parameters<AccessLog['record']>[1]): Promise<void> {
    this.#accesses.record(caller, use)
    if (this.#hasOthers) await this.#accesses.flush()
  }

  get #noteParts() {
    const [preparation, discoveries] = [this.#preparation, this.#discoveries]
    const [spaces, spaceNotes, log] = [this.#spaces, this.#spaceNotes, this.#log]
    return { preparation, discoveries, spaces, spaceNotes, requests: this.#requests, log }
  }

  engineOf(project: string): Promise<SearchEngine> {
    return this.#preparation.engineOf(project)
  }

  async close(): Promise<void> {
    await this.#preparation.close()
    await this.#accesses.close()
  }
}

/**
 * So that a search finds it. One of a space is there for whoever asks another server next; what could not be stored is made up for
 * by a later search.
 */
async function fileDiscovery(
  { user: author, project }: Caller,
  discovery: Discovery,
  { preparation, spaceNotes, log }: NoteSight,
): Promise<void> {
  const { scope, ...note } = noteOf(author, discovery)
  const { spaceId: space } = discovery
  if (space === undefined || !spaceNotes) return preparation.file(project, { ...note, scope })
  await spaceNotes
    .put([{ ...note, space, author, project: nameOfProject(project) }])
    .catch((err: unknown) => log.warn({ err }, 'a note of a space could not be stored'))
}

/** What somebody decided, and who shares it where it comes from a space. */
interface DecisionNote {
  readonly text: string
  readonly space?: string
  readonly by?: string
}

/** What still holds: what belongs to a space names it and its author first, so that it is never read as the person's own. */
function decisionLines(decisions: readonly CheckedDiscovery[]): DecisionNote[] {
  return decisions
    .filter(({ newer }) => newer === undefined)
    .map(({ content, changedFiles, space, by }) => ({
      text: [
        ...(space === undefined
          ? []
          : [`${quoteLine(by ?? 'somebody')} in the space ${quoteLine(space)}:`]),
        content,
        ...(changedFiles.length > 0 ? ['(recheck: its files changed)'] : []),
      ].join(' '),
      ...(space === undefined ? {} : { space, by }),
    }))
}

/** Of those that still hold, what was said about a file in other sessions. */
function notesAbout(
  decisions: readonly CheckedDiscovery[],
  file: string,
  session?: string,
): DecisionNote[] {
  return decisions
    .filter(({ newer, session: saidIn }) => newer === undefined && (!session || saidIn !== session))
    .filter(
      ({ files, content }) => files.some(({ path }) => path === file) || content.includes(file),
    )
    .map(({ content, space, by }) => ({
      text: content,
      ...(space === undefined ? {} : { space, by }),
    }))
}

/** One person's work that several servers have answered, as one session under the oldest one's id. */
function mergeSessions(own: Session, stored: readonly Session[], nowMs: number): Session {
  const others = stored.filter(
    (session) =>
      session.id !== own.id &&
      session.client === own.client &&
      sessionStatus(session, nowMs) === 'active',
  )
  const all = [...others, own].sort((a, b) => a.startedAt.localeCompare(b.startedAt))
  const [first = own] = all
  return {
    ...own,
    id: first.id,
    startedAt: first.startedAt,
    lastActiveAt: all.map(({ lastActiveAt }) => lastActiveAt).reduce(later),
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    topics: [...new Set(all.flatMap(({ topics }) => topics))],
    files: mergeFiles(all.flatMap(({ files }) => files)),
  }
}

function mergeFiles(files: readonly SessionFile[]): SessionFile[] {
  const merged = new Map<string, SessionFile>()
  for (const file of files) {
    const known = merged.get(file.path)
    merged.set(file.path, known ? added(known, file) : file)
  }
  return [...merged.values()].sort((a, b) => a.last.localeCompare(b.last))
}

function added(one: SessionFile, other: SessionFile): SessionFile {
  return {
    path: one.path,
    count: one.count + other.count,
    first: one.first < other.first ? one.first : other.first,
    last: later(one.last, other.last),
  }
}

function later(one: string, other: string): string {
  return one > other ? one : other
}
