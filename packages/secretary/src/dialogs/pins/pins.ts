import { Failure } from '@secretary-mcp/core/failure.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { isRepositorySource } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { Database } from '../../storage/database.ts'
import type { Dialogs } from '../dialogs.ts'
import type { RecallLines } from '../recall/compose-recall.ts'
import { contradicts } from '../standing.ts'

const COLUMNS = ['id', 'session_id', 'request_index', 'source', 'text', 'pinned_at'] as const
const MAX_PINS = 500

/** A request, or a sentence of one, that somebody wants every agent of the project to be told first. */
export const pinSchema = z.object({
  id: z.int(),
  text: z.string(),
  sessionId: z.string(),
  index: z.int(),
  source: z.string(),
  pinnedAt: z.number(),
})
export type Pin = z.output<typeof pinSchema>

export type NewPin = Omit<Pin, 'id'> & { readonly project: string }

/** Every method sees the given user's pins alone. */
export interface PinStore {
  add(user: string, pin: NewPin): Promise<Pin>
  /** Newest first. */
  list(user: string, projects: readonly string[]): Promise<Pin[]>
  remove(user: string, id: number): Promise<Pin | undefined>
}

export interface PinArguments {
  readonly sessionId?: string
  /** The latest request if absent. */
  readonly index?: number
  /** A part of the request; all that was typed if absent. */
  readonly text?: string
}

export interface PinAnswer {
  readonly pin: Pin
  /** Pins that the new one contradicts, and that are gone. */
  readonly replaced?: Pin[]
}

const MAX_PIN = 1000

/** What was pinned, by whichever way; only the person's typed words can be. */
export class Pins {
  readonly #dialogs: Dialogs
  readonly #store?: PinStore

  constructor(dialogs: Dialogs, store: PinStore | undefined) {
    this.#dialogs = dialogs
    this.#store = store
  }

  async pin(
    caller: Caller,
    { sessionId, index, text }: PinArguments,
    signal: AbortSignal,
  ): Promise<Result<PinAnswer>> {
    const dialog = await this.#dialogs.require(caller, sessionId, signal)
    if (isRepositorySource(dialog.source))
      throw new Failure(
        'validation_error',
        'A file in a repository is not known to be the person’s words',
      )
    const marks = await this.#dialogs.texts.marks(dialog)
    const position = index ?? marks.length
    const { request } = await this.#dialogs.texts.asked(dialog, marks, position)
    if (request === undefined)
      throw new Failure(
        'out_of_range',
        `Index ${position} exceeds total requests (${marks.length})`,
      )
    const typed = typedText(request)
    const pinned = text === undefined ? typed : wordsOf(typed, text)
    if (typed === '')
      throw new Failure('validation_error', 'The person typed nothing in this request', {
        instruction: 'Pin another request: plans and pasted text are not the person’s own words.',
      })
    if (pinned === undefined)
      throw new Failure('validation_error', 'This text is not part of what the person typed', {
        instruction: 'Pin the person’s own words, exactly as they stand in the request.',
      })
    const project = dialog.project ?? caller.project
    const known = await this.list(caller)
    const same = known.find((pin) => pin.text === redact(pinned))
    if (same) return Result.ok({ pin: same })
    const replaced = known.filter((pin) => contradicts(pinned, pin.text))
    if (!this.#store) throw new Failure('storage_failure', 'Pins cannot be kept here')
    for (const { id } of replaced) await this.#store.remove(caller.user, id)
    const pin = await this.#store.add(caller.user, {
      text: cutText(redact(pinned), MAX_PIN),
      sessionId: dialog.sessionId,
      index: position,
      source: dialog.source,
      project,
      pinnedAt: Date.now(),
    })
    return Result.ok({ pin, ...(replaced.length > 0 ? { replaced } : {}) })
  }

  async unpin(caller: Caller, id: number): Promise<Result<{ pin: Pin }>> {
    const pin = await this.#store?.remove(caller.user, id)
    if (!pin) throw new Failure('not_found', `No pin has the id ${id}`)
    return Result.ok({ pin })
  }

  /** Of the caller's project, newest first. */
  async list(caller: Caller): Promise<Pin[]> {
    if (!this.#store) return []
    return this.#store.list(caller.user, await this.#dialogs.deeds.namesOf(caller.project))
  }

  async lines(caller: Caller): Promise<RecallLines> {
    const pins = await this.list(caller)
    return { lines: pins.map(pinLine), total: pins.length }
  }
}

/** When and where it was pinned stands behind the person's words. */
export function pinLine({ text, source, sessionId, index, pinnedAt }: Pin): string {
  const day = new Date(pinnedAt).toISOString().slice(0, 10)
  return `${text} (pinned ${day}, request ${index} of ${source} ${sessionId.slice(0, 8)})`
}

/** The part of the typed text that is meant, as it stands there; blanks do not matter. */
function wordsOf(typed: string, wanted: string): string | undefined {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  const part = plain(wanted)
  return part !== '' && plain(typed).includes(part) ? part : undefined
}

export function createPinStore(database: Database): PinStore {
  return {
    async add(user, { sessionId, index, source, text, project, pinnedAt }) {
      const row = {
        user_id: user,
        project,
        session_id: sessionId,
        request_index: index,
        source,
        text,
        pinned_at: pinnedAt,
      }
      const added = await database.use((db) =>
        db.insertInto('pins').values(row).returning(COLUMNS).executeTakeFirstOrThrow(),
      )
      return pinFromRow(added)
    },

    async list(user, projects) {
      if (projects.length === 0) return []
      const rows = await database.use((db) =>
        db
          .selectFrom('pins')
          .select(COLUMNS)
          .where('user_id', '=', user)
          .where('project', 'in', projects)
          .orderBy('id', 'desc')
          .limit(MAX_PINS)
          .execute(),
      )
      return rows.map(pinFromRow)
    },

    async remove(user, id) {
      const row = await database.use((db) =>
        db
          .deleteFrom('pins')
          .where('user_id', '=', user)
          .where('id', '=', id)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      return row && pinFromRow(row)
    },
  }
}

interface PinRow {
  readonly id: number
  readonly session_id: string
  readonly request_index: number
  readonly source: string
  readonly text: string
  readonly pinned_at: number
}

/** PostgreSQL gives large numbers as text. */
function pinFromRow(row: PinRow): Pin {
  return {
    id: Number(row.id),
    text: row.text,
    sessionId: row.session_id,
    index: row.request_index,
    source: row.source,
    pinnedAt: Number(row.pinned_at),
  }
}
