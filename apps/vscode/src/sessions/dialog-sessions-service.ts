import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Disposable, EventEmitter } from 'vscode'
import { Failure } from '../../../../src/core/failure.ts'
import type { Log } from '../../../../src/core/log.ts'
import type { Dialog, DialogStatus, Turn } from '../../../../src/dialogs/dialog.ts'
import type { DialogStore } from '../../../../src/dialogs/dialog-store.ts'
import { Dialogs } from '../../../../src/dialogs/dialogs.ts'
import { memoryDialogStore } from '../../../../src/dialogs/memory-dialog-store.ts'
import { cutText } from '../../../../src/dialogs/preview.ts'
import { vscodeIn } from '../../../../src/dialogs/sources/vscode.ts'
import type { ChatPlaces } from './chat-places.ts'
import { DialogWords } from './dialog-words.ts'
import type { EditorToolbox } from './editor-toolbox.ts'
import { beingAnswered, LiveChats, type LiveCopy, sessionIdOf } from './live-chat.ts'

/** The files belong to whoever runs the editor. */
const OWNER = 'editor'
const PATIENCE_MS = 3_000
const SETTLING_MS = 100
const MOST_DIALOGS = 20_000
const MOST_JOINED = 50
export const MOST_TURNS = 2_000
const LONGEST_ANSWER = 1_000_000
const LONGEST_LOGGED = 300

export interface SessionParts {
  readonly places: ChatPlaces
  readonly log: Log
  /** What VS Code holds of the chat in focus, where it tells. */
  readonly exportChat: () => Promise<LiveCopy | undefined>
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
  readonly #live: LiveChats
  readonly #store: DialogStore = memoryDialogStore()
  readonly #dialogs: Dialogs
  readonly #words: DialogWords
  readonly #changed = new EventEmitter<void>()
  readonly onDidChange = this.#changed.event
  #toolbox?: Promise<EditorToolbox>
  #settling?: NodeJS.Timeout
  #closed = false

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#live = new LiveChats(vscodeIn([parts.places.user], LONGEST_ANSWER), LONGEST_ANSWER)
    this.#dialogs = new Dialogs({
      store: this.#store,
      sources: [this.#live.source],
      log: parts.log,
      user: OWNER,
    })
    this.#words = new DialogWords(this.#dialogs)
    // The first scan reports every file; the views want to know once.
    this.#dialogs.onChange(() => {
      this.#settling ??= setTimeout(() => this.#tell(), SETTLING_MS).unref()
    })
  }

  /** The dialog that a call came from, else the newest of this window that holds a request, else the newest. */
  async findCurrent(told?: string): Promise<Dialog | undefined> {
    this.#requireOpen()
    await this.#dialogs.index.refresh(PATIENCE_MS)
    if (told === undefined) return this.#newest()
    // The files are seconds behind while an answer is written, and nothing in them says so.
    await this.joinLive(told)
    return this.getSession(told)
  }

  /** Lays what VS Code has in memory over the file of the same session, told apart by the ids of its requests. */
  async joinLive(told?: string): Promise<void> {
    const copy = await this.#parts.exportChat()
    const path = copy && (await this.#pathOf(copy, told))
    if (!copy || path === undefined) return
    const isTold = told !== undefined && sessionIdOf(path) === told
    this.#live.put(path, isTold ? beingAnswered(copy) : copy)
    await this.refresh()
  }

  async getSession(sessionId: string): Promise<Dialog | undefined> {
    const [dialog] = await this.#store.findBySession(sessionId)
    return dialog && this.#dialogs.index.refreshOne(dialog)
  }

  /** As `getSession`, after a look at the disk. */
  async findSession(sessionId: string): Promise<Dialog | undefined> {
    this.#requireOpen()
    await this.#dialogs.index.refresh(PATIENCE_MS)
    return this.getSession(sessionId)
  }

  /** Newest first. */
  async list(filter: SessionFilter): Promise<Dialog[]> {
    this.#requireOpen()
    await this.#dialogs.index.refresh(PATIENCE_MS)
    const { everywhere = false, status, since = 0, words } = filter
    const dialogs = (await this.#all()).filter(
      (dialog) =>
        dialog.requestsCount > 0 &&
        dialog.chatJsonPath !== undefined &&
        (everywhere || this.#isHere(dialog)) &&
        (status === undefined || dialog.status === status) &&
        dialog.lastSeen >= since,
    )
    return words ? this.#words.matching(dialogs, words) : dialogs
  }

  /** Requests with their answers, at most `MOST_TURNS`. */
  async turns(dialog: Dialog): Promise<Turn[]> {
    const turns: Turn[] = []
    for await (const turn of this.#dialogs.texts.turns(dialog)) {
      turns.push(turn)
      if (turns.length === MOST_TURNS) break
    }
    return turns
  }

  /** Looks at the disk now, however lately somebody did. */
  async refresh(): Promise<void> {
    this.#dialogs.index.invalidate()
    await this.#dialogs.index.refresh(PATIENCE_MS)
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
    const caller = { user: OWNER, project: this.#parts.places.window, session }
    const { text } = await (await this.#tools()).boundary.call(name, input, caller, { signal })
    if (this.#parts.showsRequests?.())
      this.#parts.log.info(`${name} answered ${cutText(text, LONGEST_LOGGED)}`)
    return text
  }

  /** The JSON for what was thrown around a tool: our own words, since they enter a prompt. */
  async explain(error: unknown, tool: string): Promise<object> {
    const { failureBody } = await this.#tools()
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
    void this.#dialogs.close()
  }

  /** The definitions come with the schema library, which would make up most of the time that activation takes. */
  #tools(): Promise<EditorToolbox> {
    this.#toolbox ??= import('../first-use.ts').then(({ firstUse: { editorToolbox } }) =>
      editorToolbox(this.#dialogs, this.#parts.log),
    )
    return this.#toolbox
  }

  async #newest(): Promise<Dialog | undefined> {
    await this.#requireReadable()
    const here = (await this.#all()).filter(
      (dialog) => dialog.chatJsonPath !== undefined && this.#isHere(dialog),
    )
    return here.find(({ requestsCount }) => requestsCount > 0) ?? here[0]
  }

  async #all(): Promise<Dialog[]> {
    return (await this.#store.list({ limit: MOST_DIALOGS, offset: 0 })).dialogs
  }

  #isHere({ key }: Dialog): boolean {
    return dirname(key) === this.#parts.places.window
  }

  /** An export has no id of its own: it belongs to the file with a request of it, or to the session that has no file yet. */
  async #pathOf({ requests }: LiveCopy, told: string | undefined): Promise<string | undefined> {
    const ids = new Set(
      requests.map(({ requestId }) => requestId).filter((id) => typeof id === 'string'),
    )
    const here = (await this.#all()).filter((dialog) => this.#isHere(dialog)).slice(0, MOST_JOINED)
    for (const dialog of here) {
      const marks = await this.#dialogs.texts.marks(dialog)
      if (marks.some(({ id }) => id !== undefined && ids.has(id))) return dialog.key
    }
    const isUnwritten = told !== undefined && !here.some(({ sessionId }) => sessionId === told)
    return isUnwritten ? join(this.#parts.places.window, `${told}.jsonl`) : undefined
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
