import type { Hit, IndexStore, StoredNote } from '../index-store.ts'
import { noteTerms, ownStems } from '../languages/note-terms.ts'
import type { SearchRequest, SearchResult } from '../search-types.ts'
import { isNoteWorthShowing } from './floor.ts'
import type { ProjectMemory } from './project-memory.ts'
import { mainTerms, type Query } from './query.ts'

const CANDIDATES = 100
/** Short texts share few words with their vectors' neighbours: more than this for meaning makes the list worse. */
const MEANING_WEIGHT = 0.3
/** The same where sentences are read as a whole. */
const SENTENCE_WEIGHT = 0.7
/** A nearest note farther than this is near to nothing in particular. */
const LEAST_NEARNESS = 0.3
const DAY_MS = 86_400_000

/** Notes by words and meaning, then by how fresh, how near and how much used they are. */
export async function searchNotes(
  query: Query,
  request: SearchRequest,
  vector: Int8Array | undefined,
  store: IndexStore,
  memory: ProjectMemory,
): Promise<SearchResult[]> {
  const scopes = request.scopes ?? ['']
  const terms = [...mainTerms(query), ...ownStems(query.text)]
  const byWords = await store.findNotes(terms, scopes, CANDIDATES)
  const byMeaning = vector ? nearestNotes(vector, scopes, memory) : []
  const best = byWords[0]?.score || 1
  const words = new Map(byWords.map(({ id, score }) => [id, score / best]))
  // Cosines of short texts lie low and close together: like the words, they count in shares of the best.
  const nearest = Math.max(byMeaning[0]?.score ?? 0, LEAST_NEARNESS)
  const meaning = new Map(
    byMeaning.filter(({ score }) => score > 0).map(({ id, score }) => [id, score / nearest]),
  )
  const cosines = new Map(byMeaning.map(({ id, score }) => [id, score]))
  const notes = await store.notes([...new Set([...words.keys(), ...meaning.keys()])])
  return notes
    .filter((note) => matches(note, request))
    .filter(({ key }) =>
      isNoteWorthShowing(
        { hasWords: words.has(key), nearness: cosines.get(key) },
        byWords.length > 0,
      ),
    )
    .map((note) =>
      result(
        note,
        request,
        (words.get(note.key) ?? 0) * coverage(note, terms),
        meaning.get(note.key) ?? 0,
        memory.noteModel?.readsSentences ? SENTENCE_WEIGHT : MEANING_WEIGHT,
      ),
    )
    .sort((a, b) => b.score - a.score)
}

function nearestNotes(vector: Int8Array, scopes: readonly string[], memory: ProjectMemory): Hit[] {
  return scopes
    .flatMap((scope) => memory.notes.get(scope)?.similarities(vector).nearest(CANDIDATES) ?? [])
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES)
}

/** What a note found by its neighbours alone keeps of its score. */
const LEAST_COVERAGE = 0.25

/** The best of all notes may still be a poor one: its words count by how much of the query it speaks of. */
function coverage(note: StoredNote, asked: readonly string[]): number {
  const terms = new Set(noteTerms(note.content))
  const share = asked.filter((term) => terms.has(term)).length / (asked.length || 1)
  return LEAST_COVERAGE + (1 - LEAST_COVERAGE) * share
}

function matches(note: StoredNote, { type, module }: SearchRequest): boolean {
  if (type && type !== 'all' && note.type !== type) return false
  return !module || note.module === module
}

function result(
  note: StoredNote,
  request: SearchRequest,
  words: number,
  meaning: number,
  share: number,
): SearchResult {
  const factors = {
    words: words * (1 - share),
    meaning: meaning * share,
    recency: recency(note.date),
    module: request.module && note.module === request.module ? 1.3 : 1,
    access: Math.min(1 + (note.accessCount ?? 0) / 100, 1.5),
  }
  // The three factors can reach 2.925 together; the square root keeps them from outweighing the words.
  const score =
    (factors.words + factors.meaning) *
    Math.sqrt((factors.recency * factors.module * factors.access) / 2.925)
  return {
    id: note.id,
    source: note.source,
    type: note.type ?? note.source,
    content: note.content,
    module: note.module ?? null,
    session: note.session ?? null,
    date: note.date,
    score: Math.min(score, 1),
    factors,
  }
}

function recency(date: string): number {
  const days = (Date.now() - Date.parse(date)) / DAY_MS
  return days < 1 ? 1.5 : days < 7 ? 1.2 : 1
}
