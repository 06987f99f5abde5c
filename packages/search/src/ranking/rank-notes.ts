import { noteTerms } from '../languages/foreign-words.ts'
import type { Note, SearchRequest, SearchResult } from '../search-types.ts'

/** Near enough for a query of which no word occurs in the project. */
const NEAR_WITHOUT_WORDS = 0.55
const NEAR_BESIDE_WORDS = 0.25
/** A common word of a query whose telling words are unknown is chance, unless the meaning speaks for it. */
const LITTLE_COVERED = 0.3
const NEAR_NOTHING = 0.12
/** A translated word may be the wrong one of several (`tiempo` is time and weather): more must speak for it. */
const LITTLE_COVERED_TRANSLATED = 0.42
const NEAR_NOTHING_TRANSLATED = 0.22
/** Short texts are farther from everything. */
const NOTE_NEAR_WITHOUT_WORDS = 0.34
const NOTE_NEAR_BESIDE_WORDS = 0.15

/** Short texts share few words with their vectors' neighbours: more than this for meaning makes the list worse. */
const MEANING_WEIGHT = 0.3
/** The same where sentences are read as a whole. */
const SENTENCE_WEIGHT = 0.7
/** A nearest note farther than this is near to nothing in particular. */
const LEAST_NEARNESS = 0.3
const DAY_MS = 86_400_000

/** A note that may be an answer, and what speaks for it. */
export interface NoteCandidate {
  readonly note: Note
  /** By its words; comparable among the notes of one store alone. Absent where it shares none with the query. */
  readonly words?: number
  /** Those of the query's terms that it has, where the store knows; otherwise it is read for them. */
  readonly matched?: ReadonlySet<string>
  /** Cosine with the query; absent where it was not compared. */
  readonly nearness?: number
}

/** Candidates out of one store, whose vectors one model made. */
export interface NoteCandidates {
  readonly candidates: readonly NoteCandidate[]
  readonly model?: { readonly id: string; readonly readsSentences?: boolean }
}

/** Notes of all stores by words and meaning, then by how fresh, how near and how much used they are, best first. */
export function rankNotes(
  terms: readonly string[],
  request: SearchRequest,
  stores: readonly NoteCandidates[],
): SearchResult[] {
  const anyMatch = stores.some(({ candidates }) => candidates.some(hasWords))
  return stores
    .flatMap(({ candidates, model }) => {
      const best = Math.max(0, ...candidates.map(({ words = 0 }) => words)) || 1
      const nearest = nearestOf(stores, model?.id)
      const share = model?.readsSentences ? SENTENCE_WEIGHT : MEANING_WEIGHT
      return candidates
        .filter(({ note }) => matches(note, request))
        .filter((one) =>
          isNoteWorthShowing({ hasWords: hasWords(one), nearness: one.nearness }, anyMatch),
        )
        .map(({ note, words = 0, matched, nearness = 0 }) =>
          result(note, request, {
            // Reading a note for its terms takes long, and most candidates share none with the query.
            words: words && (words / best) * coverage(note, terms, matched) * (1 - share),
            meaning: Math.max(nearness / nearest, 0) * share,
          }),
        )
    })
    .sort((a, b) => b.score - a.score)
    .filter(isFirstOfItsId())
}

/** An index may still have a copy of what another store has. */
function isFirstOfItsId(): (result: SearchResult) => boolean {
  const seen = new Set<string>()
  return ({ source, id }) => {
    const key = `${source}\0${id}`
    return !seen.has(key) && !!seen.add(key)
  }
}

function hasWords({ words }: NoteCandidate): boolean {
  return words !== undefined
}

/** Cosines of short texts lie low and close together: like the words, they count in shares of the best of that model. */
function nearestOf(stores: readonly NoteCandidates[], model: string | undefined): number {
  const cosines = stores
    .filter((store) => store.model?.id === model)
    .flatMap(({ candidates }) => candidates.map(({ nearness = 0 }) => nearness))
  return Math.max(LEAST_NEARNESS, ...cosines)
}

/** What a note found by its neighbours alone keeps of its score. */
const LEAST_COVERAGE = 0.25

/** The best of all notes may still be a poor one: its words count by how much of the query it speaks of. */
function coverage(
  note: Note,
  asked: readonly string[],
  terms: ReadonlySet<string> = new Set(noteTerms(note.content)),
): number {
  const share = asked.filter((term) => terms.has(term)).length / (asked.length || 1)
  return LEAST_COVERAGE + (1 - LEAST_COVERAGE) * share
}

function matches(note: Note, { type, module }: SearchRequest): boolean {
  if (type && type !== 'all' && note.type !== type) return false
  return !module || note.module === module
}

function result(
  note: Note,
  request: SearchRequest,
  { words, meaning }: { readonly words: number; readonly meaning: number },
): SearchResult {
  const factors = {
    words,
    meaning,
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

/**
 * What is left of an answer that has none. A result that shares no word, name or path with the
 * query is there for its meaning alone, and the nearest of all passages is near to nothing in
 * particular where the query is about something else. The marks were set on the shared queries, none
 * of which loses a right result by them, and on queries about nothing: bench/search/journal.md has both.
 */
export interface Footing {
  /** Shares a word, a name or a part of the path with the query. */
  readonly hasWords: boolean
  /** Cosine with the query; undefined where there are no vectors. */
  readonly nearness: number | undefined
}

/** `covered`: how much of what the query's words tell is known to the project, from 0 to 1. */
export function isWorthShowing(
  { hasWords, nearness }: Footing,
  covered: number,
  isTranslated = false,
): boolean {
  if (nearness === undefined) return hasWords
  if (hasWords && isTranslated)
    return covered >= LITTLE_COVERED_TRANSLATED || nearness >= NEAR_NOTHING_TRANSLATED
  if (hasWords) return covered >= LITTLE_COVERED || nearness >= NEAR_NOTHING
  return nearness >= (covered > 0 ? NEAR_BESIDE_WORDS : NEAR_WITHOUT_WORDS)
}

/** `othersMatch`: some note shares a word with the query. */
export function isNoteWorthShowing(footing: Footing, othersMatch: boolean): boolean {
  if (footing.hasWords) return true
  const least = othersMatch ? NOTE_NEAR_BESIDE_WORDS : NOTE_NEAR_WITHOUT_WORDS
  return (footing.nearness ?? 0) >= least
}
