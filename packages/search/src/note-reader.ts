import { type Embedder, quantise } from './embedder/embedder.ts'
import type { Bridges } from './languages/bridge.ts'
import { noteTerms } from './languages/foreign-words.ts'
import { translate } from './languages/translate.ts'
import { noteQueryTerms, readQuery, readTranslated } from './ranking/query.ts'

/** What a text is found by. */
export interface FoundBy {
  readonly terms: readonly string[]
  /** Absent where no word means anything to the model. */
  readonly vector?: Int8Array
}

/** Reads notes and questions as the index does, for notes that are stored elsewhere. */
export interface NoteReader {
  readonly modelId: string
  notes(contents: readonly string[]): Promise<FoundBy[]>
  question(text: string): Promise<FoundBy>
}

export function createNoteReader(embedder: Embedder, bridges: Bridges): NoteReader {
  const vectorsOf = async (texts: readonly string[]) =>
    (await embedder.embed(texts)).map((vector) => {
      const cells = quantise(vector)
      return cells.some((cell) => cell !== 0) ? { vector: cells } : {}
    })
  return {
    modelId: embedder.id,
    async notes(contents) {
      const vectors = await vectorsOf(contents)
      return contents.map((text, nth) => ({ terms: distinct(noteTerms(text)), ...vectors[nth] }))
    },
    async question(text) {
      const translation = await translate(text, bridges)
      const query = translation ? readTranslated(text, translation) : readQuery(text)
      const gist = embedder.isEnglishOnly ? query.englishGist : query.gist
      const [found] = await vectorsOf([gist])
      return { terms: distinct(noteQueryTerms(query)), ...found }
    },
  }
}

function distinct(terms: readonly string[]): string[] {
  return [...new Set(terms)]
}
