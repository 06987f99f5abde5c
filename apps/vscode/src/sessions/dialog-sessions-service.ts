import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  type Dialog,
  type DialogStatus,
  settled,
  type Turn,
} from '@secretary-mcp/transcripts/dialog.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { type Disposable, EventEmitter } from 'vscode'
import type { ChatPlaces } from './chat-places.ts'
import type { ChatReader } from './chat-reader.ts'
import type { LiveChat } from './live-chat.ts'
import type { ListedDialog, OtherAgents, TurnRange } from './other-agents-port.ts'

const PATIENCE_MS = 3_000
const SETTLING_MS = 100
const MAX_DIALOGS = 20_000
const MAX_JOINED = 50
export const MAX_TURNS = 2_000
const MAX_LOGGED = 300

export interface SessionParts {
  readonly places: ChatPlaces
  readonly log: Log
  /** What reads the chats: loaded when somebody first asks. */
  readonly reader: (changed: () => void) => Promise<ChatReader>
  /** What VS Code holds in memory of the chat in focus. */
  readonly live: LiveChat
  /** Dialogs that other agents keep, and tools that only the server has. */
  readonly others: () => Promise<OtherAgents>
  /** Whether the person allows the beginning of what they typed in the log. */
  readonly showsRequests?: () => boolean
}

export interface SessionFilter {
  /** Chats of every folder, not of this window alone. */
  readonly everywhere?: boolean
  readonly status?: DialogStatus
  /** Leaves out what was last seen before this moment. */
  readonly since?: number
  /** Words that must all have been asked. */
  readonly words?: string
}

/** The chats of VS Code: found, read and kept current. Nothing is read before somebody asks. */
export class DialogSessionsServiceImpl implements Disposable {
  readonly #parts: SessionParts
  readonly #changed = new EventEmitter<void>()
  readonly onDidChange = this.#changed.event
  #loading?: Promise<ChatReader>
  #settling?: NodeJS.Timeout
  #closed = false

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** The dialog that a call came from, else the newest of this window that holds a request, else the newest. */
  async findCurrent(callerSession?: string): Promise<Dialog | undefined> {
    await this.#fresh()
    if (callerSession === undefined) return this.#newest()
    // The files are seconds behind while an answer is written, and nothing in them says so.
    await this.joinLive(callerSession)
    return this.getSession(callerSession)
  }

  /** Lays what VS Code has in memory over the file of the same session, told apart by the ids of its requests. */
  async joinLive(callerSession?: string): Promise<void> {
    const { live } = this.#parts
    const chat = await live.take()
    const path = chat && (await this.#pathOf(chat.ids, callerSession))
    if (!chat || path === undefined) return
    await live.keep(path, chat, callerSession !== undefined && isFileOf(path, callerSession))
    await this.refresh()
  }

  async getSession(sessionId: string): Promise<Dialog | undefined> {
    const { dialogs, store } = await this.#reader()
    const [dialog] = await store.findBySession(sessionId)
    return dialog && settled(await dialogs.index.refreshOne(dialog))
  }

  /** As `getSession`, after a look at the disk. */
  async findSession(sessionId: string): Promise<Dialog | undefined> {
    await this.#fresh()
    return (await this.getSession(sessionId)) ?? (await this.#parts.others()).find(sessionId)
  }

  /** Newest first. */
  async list(filter: SessionFilter): Promise<ListedDialog[]> {
    await this.#fresh()
    const { everywhere = false, status, since = 0, words } = filter
    const passes = (dialog: Dialog) =>
      dialog.requestsCount > 0 &&
      (status === undefined || dialog.status === status) &&
      dialog.lastSeen >= since
    const own = (await this.#all()).filter(
      (dialog) =>
        dialog.chatJsonPath !== undefined && (everywhere || this.#isHere(dialog)) && passes(dialog),
    )
    const known = await (await this.#parts.others()).list(everywhere)
    const archived = new Set(known.flatMap((one) => (one.archived ? one.sessionId : [])))
    const marked = own.map((one) =>
      archived.has(one.sessionId) ? { ...one, archived: true as const } : one,
    )
    const others = known.filter((one) => one.source !== 'vscode' && passes(one))
    const all = [...marked, ...others].sort((one, other) => other.lastSeen - one.lastSeen)
    return words ? (await this.#reader()).words.matching(all, words) : all
  }

  /** Requests with their answers; for a view, the newest `MAX_TURNS`. */
  newestTurns(dialog: Dialog): Promise<Turn[]> {
    return this.turns(dialog, { from: Math.max(1, dialog.requestsCount - MAX_TURNS + 1) })
  }

  async findTurn(dialog: Dialog, position: number): Promise<Turn | undefined> {
    const turns = await this.turns(dialog, { from: position, to: position })
    return turns.find((one) => one.position === position)
  }

  async turns(dialog: Dialog, range: TurnRange = { from: 1 }): Promise<Turn[]> {
    if (dialog.source !== 'vscode') return (await this.#parts.others()).turns(dialog, range)
    const { from, to = Number.POSITIVE_INFINITY } = range
    const turns: Turn[] = []
    const { dialogs } = await this.#reader()
    for await (const turn of dialogs.texts.turns(dialog, { from })) {
      if (turn.position > to) break
      turns.push(turn)
    }
    return turns
  }

  /** What was done for a request, a line each; nothing where no server keeps deeds. */
  async deeds({ sessionId, position }: Pick<Turn, 'sessionId' | 'position'>): Promise<string[]> {
    return (await this.#parts.others()).deeds(sessionId, position)
  }

  /** Looks at the disk now, however lately somebody did. */
  async refresh(): Promise<void> {
    const { dialogs } = await this.#reader()
    dialogs.index.invalidate()
    await dialogs.index.refresh(PATIENCE_MS)
    // A file that is gone is no change of a dialog, but the views show it no longer.
    if (!this.#closed) this.#changed.fire()
  }

  /** Runs a tool's definition; the JSON of its answer. */
  async callTool(
    name: string,
    input: unknown,
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    this.#requireOpen()
    const other = await this.#answerOfOther(name, input, signal)
    if (other !== undefined) return other
    const { toolbox, user } = await this.#reader()
    const caller = { user, project: this.#parts.places.window, dialog: session }
    const { text } = await toolbox.boundary.call(name, input, caller, { signal })
    if (this.#parts.showsRequests?.())
      this.#parts.log.info(`${name} answered ${cutText(text, MAX_LOGGED)}`)
    return text
  }

  /** Runs a tool that only the server has. */
  async callServer(name: string, input: object, signal: AbortSignal): Promise<string> {
    this.#requireOpen()
    return (await this.#parts.others()).call(name, input, signal)
  }

  /** The JSON for what was thrown around a tool: our own words, since they enter a prompt. */
  async explain(error: unknown, tool: string): Promise<object> {
    const { failureBody } = (await this.#reader()).toolbox
    if (error instanceof Failure) return failureBody(error.message, error.errorType)
    const incident = randomUUID().slice(0, 8)
    this.#parts.log.error({ err: error, tool, incident }, 'unexpected error')
    const message = `Something went wrong (incident ${incident}; see the log of Copilot Chat Secretary)`
    return failureBody(message, 'unexpected_error')
  }

  dispose(): void {
    this.#closed = true
    clearTimeout(this.#settling)
    this.#changed.dispose()
    void this.#loading?.then(({ dialogs }) => dialogs.close())
  }

  /** A dialog that is none of this editor's is the server's to answer for. */
  async #answerOfOther(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { sessionId } = (input ?? {}) as { sessionId?: unknown }
    if (typeof sessionId !== 'string') return undefined
    const { store } = await this.#reader()
    if ((await store.findBySession(sessionId)).length > 0) return undefined
    const others = await this.#parts.others()
    return (await others.find(sessionId)) && others.call(name, input as object, signal)
  }

  #reader(): Promise<ChatReader> {
    // The first scan reports every file; the views want to know once.
    this.#loading ??= this.#parts.reader(() => {
      this.#settling ??= setTimeout(() => this.#tell(), SETTLING_MS).unref()
    })
    return this.#loading
  }

  async #fresh(): Promise<void> {
    this.#requireOpen()
    await (await this.#reader()).dialogs.index.refresh(PATIENCE_MS)
  }

  async #newest(): Promise<Dialog | undefined> {
    await this.#requireReadable()
    const here = (await this.#all()).filter(
      (dialog) => dialog.chatJsonPath !== undefined && this.#isHere(dialog),
    )
    return here.find(({ requestsCount }) => requestsCount > 0) ?? here[0]
  }

  async #all(): Promise<Dialog[]> {
    const { store } = await this.#reader()
    return (await store.list({ limit: MAX_DIALOGS, offset: 0 })).dialogs.map(settled)
  }

  #isHere({ key }: Dialog): boolean {
    return dirname(key) === this.#parts.places.window
  }

  /** An export has no id of its own: it belongs to the file with a request of it, or to the session that has none on the disk yet. */
  async #pathOf(
    ids: ReadonlySet<string>,
    callerSession: string | undefined,
  ): Promise<string | undefined> {
    const here = (await this.#all()).filter((dialog) => this.#isHere(dialog)).slice(0, MAX_JOINED)
    const { dialogs } = await this.#reader()
    for (const dialog of here) {
      const marks = await dialogs.texts.marks(dialog)
      if (marks.some(({ id }) => id !== undefined && ids.has(id))) return dialog.key
    }
    if (callerSession === undefined) return undefined
    const draft = here.find(({ sessionId }) => sessionId === callerSession)
    if (!draft) return join(this.#parts.places.window, `${callerSession}.jsonl`)
    return draft.requestsCount === 0 ? draft.key : undefined
  }

  #requireOpen(): void {
    if (this.#closed) throw new Failure('storage_closed', 'The extension is shutting down')
  }

  /** A folder that is not there holds no chats; one that cannot be looked into is another matter. */
  async #requireReadable(): Promise<void> {
    try {
      await stat(this.#parts.places.window)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        throw new Failure('storage_unreadable', 'The chats of this window cannot be read', {
          cause: error,
        })
    }
  }

  #tell(): void {
    this.#settling = undefined
    this.#changed.fire()
  }
}

function isFileOf(path: string, sessionId: string): boolean {
  return basename(path).replace(/\.jsonl?$/, '') === sessionId
}
