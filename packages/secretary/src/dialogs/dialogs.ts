import { dirname } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { FolderWatch } from '@secretary-mcp/core/folder-watch.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog, ShownDialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import { earlierDialog, locateDialog } from './current-dialog.ts'
import type { DeedStore } from './deeds/deed-store.ts'
import { hintOfClones } from './deeds/work-places.ts'
import { Deeds } from './deeds.ts'
import { goneSince, latestChange, turnsSince } from './dialog-feed.ts'
import { DialogIndex } from './dialog-index.ts'
import { described, noActiveDialog, noChatData, unknownSource } from './dialog-schema.ts'
import { type DialogFilter, type DialogStore, everyDialog, type Facets } from './dialog-store.ts'
import { DialogTexts } from './dialog-texts.ts'
import type { DecisionsAbout } from './edit-notes/edit-notes.ts'
import type { KeptStore } from './keeping/kept-store.ts'
import { type PinStore, Pins } from './pins/pins.ts'
import { getFirstRequest, getRequest, listRequests } from './read-requests.ts'
import type { RecallPorts } from './recall/compose-recall.ts'
import type { RecallArguments } from './recall/recall.ts'
import type { RequestFinder, RequestSearch } from './search/search-requests.ts'
import type { SharedRequestStore } from './store/requests-in-spaces.ts'
import type { RequestDay, RequestDays } from './today/today.ts'

const MAX_FOLDERS = 200
const MAX_SCAN_MS = 600_000
/** Catches what no watcher saw, such as the first dialog in a new folder. */
const EVERY_MS = 15_000
/** The first call of a fresh server goes before the first scan. */
const FIRST_AFTER_MS = 1_000

/** What the person asked, word for word, whichever agent they asked. */
export class Dialogs {
  readonly index: DialogIndex
  readonly store: DialogStore
  readonly texts: DialogTexts
  readonly deeds: Deeds
  readonly pins: Pins
  readonly shared?: SharedRequestStore
  readonly #parts: DialogParts
  #finder?: RequestFinder
  #days?: RequestDays
  readonly #listeners = new Set<(dialog: Dialog) => void>()
  #stopWatching?: () => void

  constructor(parts: DialogParts) {
    this.#parts = parts
    this.store = parts.store
    this.shared = parts.shared
    this.index = new DialogIndex({ ...parts, changed: (dialog) => this.#tell(dialog) })
    this.texts = new DialogTexts(this.index, parts.store, parts.kept)
    this.pins = new Pins(this, parts.pins)
    this.deeds = new Deeds(this, parts.deeds, parts.decisionsAbout)
  }

  /** For as long as a server runs: keeps the index in step with the disk, before anybody asks. */
  watch(): void {
    this.#stopWatching ??= watchDialogs(this.index)
  }

  /** Hears of every dialog that is new or has changed. Returns the function that ends it. */
  onChange(listener: (dialog: Dialog) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getRequest(caller: Caller, index: number, sessionId: string | undefined, signal: AbortSignal) {
    return getRequest(this, caller, index, sessionId, signal)
  }

  getFirstRequest(caller: Caller, sessionId: string | undefined, signal: AbortSignal) {
    return getFirstRequest(this, caller, sessionId, signal)
  }

  listRequests(
    caller: Caller,
    page: { sessionId?: string; limit: number; offset: number },
    signal: AbortSignal,
  ) {
    return listRequests(this, caller, page, signal)
  }

  listDialogs(
    caller: Caller,
    filter: { source?: string; everywhere: boolean; limit: number; offset: number },
    signal: AbortSignal,
  ) {
    return listDialogs(this, caller, filter, signal)
  }

  /** For a person who looks around: every project, any time. */
  async browse(
    caller: Caller,
    filter: BrowseFilter,
    signal: AbortSignal,
  ): Promise<{ dialogs: ShownDialog[]; total: number; note?: string }> {
    const { dialogs, ...rest } = await this.#browsed(caller, filter, signal)
    const here = projectNames(caller.project)
    return { dialogs: await Promise.all(dialogs.map((one) => this.shown(one, here))), ...rest }
  }

  /** As callers see it; a project that is known by another of these names goes by the first. */
  async shown(dialog: Dialog, names?: readonly string[]): Promise<ShownDialog> {
    const { chatJsonPath } = dialog
    const isArchived = chatJsonPath && this.index.sourceOf(dialog)?.isArchived?.(chatJsonPath)
    return { ...described(dialog, names), ...((await isArchived) ? { archived: true } : {}) }
  }

  /** Requests among all that `browse` shows. */
  async searchBrowsed(
    caller: Caller,
    { query, limit, ...filter }: Omit<BrowseFilter, 'offset'> & { readonly query: string },
    signal: AbortSignal,
  ) {
    const finder = await this.#requestFinder()
    const all = { ...filter, limit: Number.MAX_SAFE_INTEGER, offset: 0 }
    const { dialogs, total: _total, ...rest } = await this.#browsed(caller, all, signal)
    const results = await finder.among(dialogs, caller, { query, limit }, signal)
    return { results, ...rest }
  }

  async #browsed(
    caller: Caller,
    filter: BrowseFilter,
    signal: AbortSignal,
  ): Promise<DialogPage & { readonly note?: string }> {
    if (!this.#mayLook(caller)) return { dialogs: [], total: 0 }
    await this.index.awaitScan(signal)
    const unread = this.unreadFor(caller)
    return { ...(await browseDialogs(this.#parts.store, filter)), ...unread }
  }

  /** What an answer to this caller lacks as long as dialogs are being read. */
  unreadFor(caller: Caller): { readonly note?: string } {
    return this.#mayLook(caller) ? this.index.unread : {}
  }

  async facets(caller: Caller): Promise<Facets> {
    return this.#mayLook(caller) ? this.#parts.store.facets() : { sources: [], projects: [] }
  }

  /** How many requests each agent got on each day since then. */
  async requestDays(caller: Caller, since: string, signal: AbortSignal): Promise<RequestDay[]> {
    const { RequestDays } = await import('./today/today.ts')
    this.#days ??= new RequestDays(this)
    return this.#days.since(caller, since, signal)
  }

  /** The dialog a call is about, up to date with its file. */
  async find(
    caller: Caller,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<Dialog | undefined> {
    if (!this.#mayLook(caller)) return undefined
    const { index, onChange } = this
    const dialog = await locateDialog(
      { ...this.#parts, index, onChange: onChange.bind(this) },
      caller,
      sessionId,
      signal,
    )
    return dialog && index.refreshOne(dialog)
  }

  /** Which dialog the caller is in, where that was told; it may not have begun. */
  sessionNamedBy({ dialog }: Caller): string | undefined {
    return this.#parts.session ?? dialog
  }

  /** The newest of the project but one, for a caller whose own dialog has not begun or says nothing yet. */
  async findEarlier({ user, project, client }: Caller, own?: string): Promise<Dialog | undefined> {
    const caller = { user, project, client }
    if (!this.#mayLook(caller)) return undefined
    const names = () => this.deeds.namesOf(project)
    return earlierDialog(this.store, this.#parts.sources, caller, own, names)
  }

  async require(
    caller: Caller,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<Dialog> {
    const dialog = await this.find(caller, sessionId, signal)
    if (dialog) return dialog
    if (sessionId === undefined) throw noActiveDialog()
    if (await this.#wasDeleted(caller, sessionId)) throw noChatData()
    throw new Failure('not_found', `Session not found: ${sessionId}`)
  }

  /** All dialogs of the project, newest first; nobody but their owner sees any. */
  async ofProject(caller: Caller, signal: AbortSignal): Promise<Dialog[]> {
    if (!(await this.ready(caller, signal))) return []
    const projects = await this.deeds.namesOf(caller.project)
    return everyDialog(this.store, { projects, asked: true })
  }

  /** Brings the index up to date for somebody who may see it. */
  async ready(caller: Caller, signal: AbortSignal): Promise<boolean> {
    if (!this.#mayLook(caller)) return false
    await this.index.awaitScan(signal)
    return true
  }

  /** The requests of a dialog that is not the caller's own, where somebody shares it with them. */
  async fromSpace(caller: Caller, sessionId: string | undefined, signal: AbortSignal) {
    if (!this.shared || sessionId === undefined) return undefined
    const { dialogFromSpace } = await import('./sharing/read-from-space.ts')
    return dialogFromSpace(this, caller, sessionId, signal)
  }

  async searchRequests(
    caller: Caller,
    query: { query: string; limit: number },
    signal: AbortSignal,
  ) {
    return (await this.#requestFinder()).search(caller, query, signal)
  }

  async #requestFinder(): Promise<RequestFinder> {
    const { RequestFinder } = await import('./search/search-requests.ts')
    this.#finder ??= new RequestFinder(this, this.#parts.search, this.#parts.deeds)
    return this.#finder
  }

  async recall(caller: Caller, args: RecallArguments, signal: AbortSignal) {
    const { recall } = await import('./recall/recall.ts')
    return recall(
      {
        dialogs: this,
        deeds: this.#parts.deeds,
        ports: { ...this.#parts.recall, pinned: (asking) => this.pins.lines(asking) },
        log: this.#parts.log,
      },
      caller,
      args,
      signal,
    )
  }

  /** Removes dialogs for good, also where their files are still there. */
  async forget(dialogs: readonly Dialog[]): Promise<void> {
    const { kept, deeds } = this.#parts
    const { forgetDialogs } = await import('./keeping/forget-dialogs.ts')
    await forgetDialogs({ kept, deeds, index: this.index }, dialogs)
  }

  /** Its number; 0 where there is nothing that this caller may see. */
  async latestChange(caller: Caller, signal: AbortSignal): Promise<number> {
    return this.#mayLook(caller) ? latestChange(this, signal) : 0
  }

  /** What the search engine and the rules feed on. */
  async *turnsOfProject(
    caller: Caller,
    since: number,
    signal: AbortSignal,
    isRead?: (dialog: Dialog) => boolean,
  ): AsyncGenerator<Turn> {
    if (!this.#mayLook(caller)) return
    yield* turnsSince(this, await this.deeds.namesOf(caller.project), since, signal, isRead)
  }

  async goneOfProject(caller: Caller, since: number, signal: AbortSignal): Promise<string[]> {
    if (!this.#mayLook(caller)) return []
    return goneSince(this, await this.deeds.namesOf(caller.project), since, signal)
  }

  async close(): Promise<void> {
    this.#stopWatching?.()
    await this.index.close()
    await this.deeds.close()
    await this.#parts.kept?.close()
  }

  /** Known to have been there, and not forgotten because the person wanted that. */
  async #wasDeleted(caller: Caller, sessionId: string): Promise<boolean> {
    if (!this.#mayLook(caller)) return false
    const [gone] = await this.store.findRemoved(sessionId)
    return gone !== undefined && !(await this.#parts.kept?.isForgotten(gone))
  }

  #tell(dialog: Dialog): void {
    for (const listener of this.#listeners) listener(dialog)
  }

  /** Nobody but the owner sees a dialog. */
  #mayLook({ user }: Caller): boolean {
    return user === this.#parts.user
  }
}

interface BrowseFilter extends Omit<DialogFilter, 'source' | 'projects' | 'asked'> {
  readonly source?: string
  readonly project?: string
}

interface DialogPage {
  readonly dialogs: Dialog[]
  readonly total: number
}

/** Dialogs as a person narrows them down: an agent that nobody knows has none. */
async function browseDialogs(
  store: DialogStore,
  { project, source: given, ...rest }: BrowseFilter,
): Promise<DialogPage> {
  const source = SOURCE_NAMES.find((name) => name === given)
  if (given !== undefined && !source) return { dialogs: [], total: 0 }
  const projects = project === undefined ? undefined : projectNames(project)
  return store.list({ ...rest, source, asked: true, projects })
}

/** Keeps the index in step with the disk until it is stopped. None of this keeps a process alive. */
function watchDialogs(index: DialogIndex): () => void {
  const refresh = async () => {
    index.invalidate()
    // A failing database is told to whoever asks next; there is nobody to tell here.
    await index.refresh(MAX_SCAN_MS).catch(() => {})
    // The scan that was joined may have listed the disk before the change.
    if (index.isStale) folders.tell()
    folders.follow(foldersOf(index.paths))
  }
  const folders = new FolderWatch(() => void refresh())
  const timer = setInterval(refresh, EVERY_MS).unref()
  const first = setTimeout(refresh, FIRST_AFTER_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
    folders.close()
  }
}

/** The folders of the newest files, and those above them, where the next dialog will appear. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = [...new Set(paths.map((path) => dirname(path)))].slice(0, MAX_FOLDERS / 2)
  return [...new Set(folders.flatMap((folder) => [folder, dirname(folder)]))]
}

async function listDialogs(
  dialogs: Dialogs,
  caller: Caller,
  filter: { source?: string; everywhere: boolean; limit: number; offset: number },
  signal: AbortSignal,
) {
  const { everywhere, source: given, ...rest } = filter
  const source = SOURCE_NAMES.find((name) => name === given)
  if (given !== undefined && !source) throw unknownSource()
  if (!(await dialogs.ready(caller, signal))) return Result.ok({ dialogs: [], total: 0 })
  const names = projectNames(caller.project)
  const projects = everywhere ? undefined : await dialogs.deeds.namesOf(caller.project)
  const found = await dialogs.store.list({ ...rest, source, asked: true, projects })
  const end = filter.offset + found.dialogs.length
  return Result.ok({
    dialogs: await Promise.all(found.dialogs.map((dialog) => dialogs.shown(dialog, names))),
    total: found.total,
    ...(end < found.total ? { more: `Call again with offset ${end}` } : {}),
    ...notes(
      dialogs.index.unread.note,
      everywhere ? undefined : await hintOfClones(dialogs, caller),
    ),
  })
}

function notes(...found: readonly (string | undefined)[]): { note?: string } {
  const note = found.filter((one) => one !== undefined).join('. ')
  return note === '' ? {} : { note }
}

export interface DialogParts {
  readonly store: DialogStore
  readonly sources: readonly Source[]
  /** Where deeds are kept; without it only words are known. */
  readonly deeds?: DeedStore
  /** Where words and deeds are kept beyond the life of their file. */
  readonly kept?: KeptStore
  /** How long a call waits for a scan. */
  readonly patienceMs?: number
  /** For how many days since its last change. */
  readonly keepDays?: number
  readonly log: Log
  /** Whose files these are: nobody else sees a dialog. */
  readonly user: string
  /** The dialog this process belongs to, where the client told it. */
  readonly session?: string
  /** The chats of the editor window that this process was started by. */
  readonly window?: string
  /** How long to wait for a dialog that an agent says it is in. */
  readonly freshMs?: number
  readonly search?: RequestSearch
  readonly recall?: RecallPorts
  readonly decisionsAbout?: DecisionsAbout
  /** Absent in an editor's reader, which keeps nothing. */
  readonly pins?: PinStore
  /** What people share with spaces. */
  readonly shared?: SharedRequestStore
}
