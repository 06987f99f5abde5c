import { namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { REDACTION_RULES, redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { NoteReader } from '@secretary-mcp/search/note-reader.ts'
import type { NoteCandidate, NoteCandidates } from '@secretary-mcp/search/ranking/rank-notes.ts'
import {
  NOTE_FORM,
  type Note,
  type NoteType,
  type SearchRequest,
} from '@secretary-mcp/search/search-types.ts'

/** A note of a space, wherever those who may read it work on the project. */
export interface SpaceNote extends Omit<Note, 'scope' | 'neighbours'> {
  /** Id of the space. */
  readonly space: string
  /** As the project is called in every clone. */
  readonly project: string
  readonly author: string
}

/** With what it is found by. */
export interface ReadNote extends SpaceNote {
  readonly terms: readonly string[]
  readonly vector?: Int8Array
}

export interface SpaceNoteQuestion {
  readonly user: string
  /** All names under which the project may be stored. */
  readonly projects: readonly string[]
  /** Where to look; a space that the user may not read is not looked at. */
  readonly spaces: readonly string[]
  readonly sources: readonly Note['source'][]
  readonly type?: NoteType
  readonly module?: string
  readonly terms: readonly string[]
  readonly vector?: Int8Array
  /** How notes are made now: those made so have no secret that is known today. */
  readonly form: number
}

/** What notes of spaces need from a storage that searches by itself. */
export interface SpaceNoteStore {
  /** A note of the same space, source and id is replaced; its author stays. `form` says how its terms and vector were made. */
  put(notes: readonly ReadNote[], form: number): Promise<void>
  remove(space: string, source: Note['source'], ids: readonly string[]): Promise<void>
  /** The best by words and the nearest by meaning, among what the user may read. */
  find(question: SpaceNoteQuestion): Promise<NoteCandidate[]>
  /** Discoveries of these spaces without a note, or with one made in an older form. */
  withoutNote(spaces: readonly string[], form: number, limit: number): Promise<SpaceNote[]>
}

interface Opened {
  readonly store: SpaceNoteStore
  readonly reader: NoteReader
}

interface Parts {
  /** Loads what is heavy; called when first needed. */
  readonly open: () => Promise<Opened>
  readonly log: Log
}

/** A search of spaces that was begun before it was known which may be read. */
interface Begun {
  readonly spaces: readonly string[]
  readonly found: Promise<NoteCandidates>
}

/** Newer rules of redaction change what is found, too. */
const FORM = NOTE_FORM * 1_000 + REDACTION_RULES
const PAGE = 500
const NOTES: readonly Note['source'][] = ['discovery', 'session']

/** Notes of spaces in a database that searches by itself: no server keeps a copy of them. */
export class SpaceNotes {
  readonly #open: Parts['open']
  readonly #log: Log
  readonly #filled = new Map<string, Promise<void>>()
  /** Where each user's last search looked. */
  readonly #lookedAt = new Map<string, readonly string[]>()

  constructor({ open, log }: Parts) {
    this.#open = open
    this.#log = log
  }

  /** Found by the next search, whichever server is asked. */
  async put(notes: readonly SpaceNote[]): Promise<void> {
    const clean = notes.map((note) => ({ ...note, content: redact(note.content) }))
    const { store, reader } = await this.#open()
    const foundBy = await reader.notes(clean.map(({ content }) => content))
    await store.put(
      clean.map((note, nth) => ({ ...note, terms: [], ...foundBy[nth] })),
      FORM,
    )
  }

  async remove(space: string, source: Note['source'], ids: readonly string[]): Promise<void> {
    await (await this.#open()).store.remove(space, source, ids)
  }

  /**
   * Begins where the caller's last search looked, while it is asked which spaces they may read now: these are hardly ever others,
   * and no statement gives what its user may not read.
   */
  begin(caller: Caller, request: SearchRequest): Begun | undefined {
    const spaces = this.#lookedAt.get(caller.user)
    if (!spaces) return undefined
    const found = this.#search(caller, spaces, request)
    // Whoever takes it up hears of a failure.
    found.catch(() => {})
    return { spaces, found }
  }

  /** What speaks for the notes of these spaces, to be ranked among the others. */
  find(
    caller: Caller,
    spaces: readonly string[],
    request: SearchRequest,
    begun?: Begun,
  ): Promise<NoteCandidates> {
    this.#lookedAt.set(caller.user, spaces)
    const isBegun = begun?.spaces.join() === spaces.join()
    return begun && isBegun ? begun.found : this.#search(caller, spaces, request)
  }

  async #search(
    { user, project }: Caller,
    spaces: readonly string[],
    { query, sources = NOTES, type, module, byWords }: SearchRequest,
  ): Promise<NoteCandidates> {
    const wanted =
      type && type !== 'all'
        ? (['discovery'] as const)
        : NOTES.filter((one) => sources.includes(one))
    if (spaces.length === 0 || wanted.length === 0) return { candidates: [] }
    const { store, reader } = await this.#open()
    const { terms, vector } = await reader.question(query)
    const candidates = await store.find({
      user,
      spaces,
      projects: namesOfProject(project),
      sources: wanted,
      terms,
      form: FORM,
      ...(type && type !== 'all' ? { type } : {}),
      ...(module ? { module } : {}),
      ...(vector && !byWords ? { vector } : {}),
    })
    return { candidates, model: { id: reader.modelId } }
  }

  /** Until what was recorded before notes were stored here, or while that failed, has one. Looked for once in each space. */
  async filled(spaces: readonly string[]): Promise<void> {
    const unknown = spaces.filter((space) => !this.#filled.has(space))
    if (unknown.length > 0) {
      const filling = this.#fill(unknown).catch((error: unknown) => {
        for (const space of unknown) this.#filled.delete(space)
        this.#log.warn({ err: error }, 'notes of spaces could not be brought up to date')
      })
      for (const space of unknown) this.#filled.set(space, filling)
    }
    await Promise.all(spaces.map((space) => this.#filled.get(space)))
  }

  async #fill(spaces: readonly string[]): Promise<void> {
    const { store } = await this.#open()
    for (;;) {
      const missing = await store.withoutNote(spaces, FORM, PAGE)
      if (missing.length === 0) return
      await this.put(missing)
      if (missing.length < PAGE) return
    }
  }
}
