import type { IndexStore } from '../index-store.ts'
import { stem } from '../text/english.ts'
import { wholeTerm } from '../text/index-terms.ts'
import { type Evidence, evidenceByFile } from './file-evidence.ts'
import type { FileRole } from './file-role.ts'
import { scaledPast } from './past-changes.ts'
import { nameMatch, type ProjectMemory, type RememberedFile } from './project-memory.ts'
import type { Query } from './query.ts'

/**
 * What each signal weighs. Fitted as one linear model over ten repositories, each judged by the nine others, then rounded:
 * bench/search/journal.md has the method and what each is worth.
 */
export const FILE_WEIGHTS = {
  chunks: 2.4,
  passages: 1,
  meaning: 0.35,
  name: 1.4,
  path: 0.6,
  compound: 0.7,
  definition: 2.2,
  pasted: 3,
  said: 10,
  traced: 2.5,
  commits: 0.7,
  recent: 0.4,
} as const

export const ROLE_PENALTIES: Readonly<Record<FileRole, number>> = {
  test: 2.6,
  example: 0.8,
  compat: 0.5,
  declaration: 0.8,
  otherPlatform: 2,
  resource: 1,
  prose: 1,
}

const DOCUMENTS = /^(readme|docs?|documentation|changelog|guide)$/
/** A query that asks for tests is not to be kept from them. */
const ROLE_WORDS: Readonly<Record<FileRole, RegExp>> = {
  test: /^(tests?|testing|specs?|mocks?|fixtures?)$/,
  example: /^(examples?|samples?|demos?|benchmarks?|docs?|documentation|tutorials?)$/,
  compat: /^(compat|compatibility|legacy|deprecated|polyfills?|shims?)$/,
  declaration: /^(headers?|declarations?|stubs?|typings?)$/,
  otherPlatform: /^(windows|win32|win|macos|darwin|osx|android|ios|solaris|aix)$/,
  resource: DOCUMENTS,
  prose: DOCUMENTS,
}

/** These say that a file lies beside the main line: where most files do, that is the main line. */
const ASIDE = ['otherPlatform', 'example', 'compat'] as const
const USUAL_SHARE = 0.5

export interface RankedFile {
  readonly file: RememberedFile
  readonly score: number
  readonly factors: Readonly<Record<string, number>>
}

const MAX_COMPOUNDS = 2
/** A long question has words enough for any test or document to share some. */
const LONG_PENALTY = 1.6
/** A file is looked at for its meaning alone when it stands out by so many standard deviations. */
const STANDS_OUT = 1
/** Among very many files, those that meaning or name alone speak for are looked at from the best down to this many. */
const MAX_BY_ONE_SIGNAL = 500

/** Files are ranked before their chunks. */
export function rankFiles(query: Query, memory: ProjectMemory, evidence: Evidence): RankedFile[] {
  const found = evidenceByFile(query, evidence)
  const compounds = new Set(query.compounds)
  const waived = new Set(
    Object.entries(ROLE_WORDS).flatMap(([role, words]) =>
      !query.isLong && query.words.some((word) => words.test(word)) ? [role] : [],
    ),
  )
  for (const role of ASIDE) if (memory.shareOf(role) > USUAL_SHARE) waived.add(role)
  const weight = query.isLong ? LONG_PENALTY : 1
  const candidates = new Set([
    ...found.chunks.keys(),
    ...found.passages.keys(),
    ...found.definition.keys(),
    ...found.compound.keys(),
    ...evidence.traced.keys(),
  ])
  for (const id of found.meaning.above(STANDS_OUT, MAX_BY_ONE_SIGNAL)) candidates.add(id)
  for (const id of memory.filesNamedLike(query, MAX_BY_ONE_SIGNAL)) candidates.add(id)

  const files = [...candidates].flatMap((id) => memory.files.get(id) ?? [])
  const past = scaledPast(evidence.past, files)
  const ranked: RankedFile[] = []
  for (const file of files) {
    const { id } = file
    ranked.push(
      scored(
        file,
        memory.isDeclarationOnly(file),
        { waived, weight },
        {
          chunks: found.chunks.get(id) ?? 0,
          passages: found.passages.get(id) ?? 0,
          meaning: found.meaning.of(id),
          name: nameMatch(file.words, query),
          path: pathShare(file, evidence.termShares),
          compound: Math.min(
            MAX_COMPOUNDS,
            (found.compound.get(id) ?? 0) + (compounds.has(file.words.wholeName) ? 1 : 0),
          ),
          definition: found.definition.get(id) ?? 0,
          pasted: evidence.pasted.get(id) ?? 0,
          said: evidence.said.get(id) ?? 0,
          traced: evidence.traced.get(id) ?? 0,
          commits: past.commits(file),
          recent: past.recent(file),
        },
      ),
    )
  }
  return ranked.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
}

function scored(
  file: RememberedFile,
  declarationOnly: boolean,
  { waived, weight }: { readonly waived: ReadonlySet<string>; readonly weight: number },
  signals: Record<keyof typeof FILE_WEIGHTS, number>,
): RankedFile {
  const factors: Record<string, number> = {}
  const isMessage = signals.said > 0 || signals.pasted > 0
  let score = 0
  for (const name of Object.keys(FILE_WEIGHTS) as (keyof typeof FILE_WEIGHTS)[]) {
    const value = signals[name] * FILE_WEIGHTS[name]
    if (value !== 0) factors[name] = value
    score += value
  }
  for (const role of file.roles) {
    if (waived.has(role) || (role === 'declaration' && !declarationOnly)) continue
    // Templates and tables of texts are where a program keeps what it says.
    if (role === 'resource' && isMessage) continue
    const penalty = ROLE_PENALTIES[role] * weight
    factors[role] = -penalty
    score -= penalty
  }
  return { file, score, factors }
}

function pathShare({ words }: RememberedFile, shares: ReadonlyMap<string, number>): number {
  const parts = words.stems
  let sum = 0
  for (const [term, share] of shares) if (parts.some((stems) => stems.includes(term))) sum += share
  return sum
}

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
