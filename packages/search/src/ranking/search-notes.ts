import type { Hit, IndexStore } from '../index-store.ts'
import type { SearchRequest, SearchResult } from '../search-types.ts'
import type { ProjectMemory } from './project-memory.ts'
import { noteQueryTerms, type Query } from './query.ts'
import { rankNotes } from './rank-notes.ts'

const CANDIDATES = 100

/** Notes of the index by words and meaning, in one list with those that were found elsewhere. */
export async function searchNotes(
  query: Query,
  request: SearchRequest,
  vector: Int8Array | undefined,
  store: IndexStore,
  memory: ProjectMemory,
): Promise<SearchResult[]> {
  const scopes = request.scopes ?? ['']
  const terms = noteQueryTerms(query)
  const words = scoresOf(await store.findNotes(terms, scopes, CANDIDATES))
  const cosines = scoresOf(vector ? nearestNotes(vector, scopes, memory) : [])
  const notes = await store.notes([...new Set([...words.keys(), ...cosines.keys()])])
  const candidates = notes.map((note) => ({
    note,
    words: words.get(note.key),
    nearness: cosines.get(note.key),
  }))
  const own = { candidates, model: memory.noteModel }
  return rankNotes(terms, request, request.beside ? [own, request.beside] : [own])
}

function scoresOf(hits: readonly Hit[]): Map<number, number> {
  return new Map(hits.map(({ id, score }) => [id, score]))
}

function nearestNotes(vector: Int8Array, scopes: readonly string[], memory: ProjectMemory): Hit[] {
  return scopes
    .flatMap((scope) => memory.notes.get(scope)?.similarities(vector).nearest(CANDIDATES) ?? [])
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES)
}
