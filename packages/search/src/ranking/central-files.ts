import type { IndexStore } from '../index-store.ts'
import { wholeTerm } from '../text/index-terms.ts'
import { stem } from '../text/stem.ts'
import type { ProjectMemory } from './project-memory.ts'
import type { RankedFile } from './rank-files.ts'
import type { RememberedFile } from './remembered-files.ts'

/** What it is worth to be named in every file of the project. */
export const CENTRAL_WEIGHTS = { central: 2 }
/** Files beyond these do not come to the front by it. */
const LOOKED_AT = 40
/** From so many places that name a file it is told how many files do. */
const PLACES = 500

/**
 * How something works is decided in the files that the others build on: those that are named all over the
 * project. For other questions this would be wrong: a thing is where it is defined.
 */
export async function centralFirst(
  ranked: readonly RankedFile[],
  store: IndexStore,
  memory: ProjectMemory,
): Promise<RankedFile[]> {
  const first = ranked.slice(0, LOOKED_AT)
  const terms = [...new Set(first.map(({ file }) => termOf(file)))]
  const shares = new Map<string, number>()
  for (const [term, count] of await store.frequencies(terms))
    if (count > 0) shares.set(term, fileShare(count, await store.chunksWith(term, PLACES), memory))
  return first
    .map((one) => {
      const central = CENTRAL_WEIGHTS.central * Math.sqrt(shares.get(termOf(one.file)) ?? 0)
      return { ...one, score: one.score + central, factors: { ...one.factors, central } }
    })
    .sort((a, b) => b.score - a.score)
}

function fileShare(count: number, places: readonly number[], memory: ProjectMemory): number {
  const files = new Set(places.map((id) => memory.fileOfChunk(id)?.id))
  return Math.min(((files.size / places.length) * count) / memory.files.size, 1)
}

function termOf({ words: { name, wholeName } }: RememberedFile): string {
  return name.length > 1 ? wholeTerm(wholeName) : stem(wholeName)
}
