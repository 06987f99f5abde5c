import type { NoteCandidate } from '@secretary-mcp/search/ranking/rank-notes.ts'
import type { Note, NoteType } from '@secretary-mcp/search/search-types.ts'

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
