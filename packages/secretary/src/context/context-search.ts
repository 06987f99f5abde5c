import { createHash } from 'node:crypto'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isDamage } from '@secretary-mcp/search/index-store.ts'
import { moduleOf } from '@secretary-mcp/search/ranking/file-role.ts'
import type {
  NoteType,
  ResultSource,
  SearchAnswer,
  SearchResult,
} from '@secretary-mcp/search/search-types.ts'
import { STOP_WORDS } from '@secretary-mcp/search/text/english.ts'
import type { CheckedDiscovery, Discoveries } from './discoveries/discoveries.ts'
import { embeddingFailed, nothingIndexed, notReady, reasonOf, searchFailed } from './family.ts'
import { grep, type Match } from './grep/grep.ts'
import { type NoteSight, notesInSight } from './notes-in-sight.ts'
import { type RequestsInSpaces, spacesOfResults } from './requests-in-spaces.ts'

export interface ContextSearchRequest {
  readonly query: string
  readonly type: NoteType | 'all'
  readonly source?: ResultSource
  readonly module?: string
  readonly limit: number
  readonly explain?: boolean
}

export interface FoundItem extends Omit<SearchResult, 'factors'> {
  readonly factors?: Record<string, number>
  /** Where a discovery came from. */
  readonly from?: { dialog?: string; request?: number; files?: string[] }
  /** The id of the discovery that is the newer word on the same thing. */
  readonly newer?: string
  /** Name of the space that a discovery belongs to, or that a request is shared with. */
  readonly space?: string
  /** Who shares the request. */
  readonly by?: string
  /** A file it speaks of has changed since. */
  readonly needs_recheck?: true
  readonly changedFiles?: string[]
}

export interface ContextSearchAnswer {
  readonly results: FoundItem[]
  readonly query: string
  readonly totalFound: number
  readonly searchTime: number
  /** The index is still being built. */
  readonly partial?: true
  readonly message?: string
}

const MAX_WORDS = 8
const MATCHES_LOOKED_AT = 400
const TIMEOUT_MS = 1_000

const FIRST_WAIT_MS = 1_500
const MAX_CONTENT = 1_500
const SPARE = 10

interface Parts extends NoteSight {
  readonly discoveries: Discoveries
  readonly requests?: RequestsInSpaces
  /** How long a question waits for an index that is being built. */
  readonly firstWaitMs?: number
}

/** Discoveries, dialogs and code by meaning; while the index is young, by words. A damaged index is rebuilt. */
export async function contextSearch(
  caller: Caller,
  request: ContextSearchRequest,
  parts: Parts,
  signal: AbortSignal,
): Promise<ContextSearchAnswer> {
  return searched(caller, request, parts, signal).catch(async (error: unknown) => {
    if (!isDamage(error)) throw error
    await parts.preparation.reopen(caller.project)
    return searched(caller, request, parts, signal)
  })
}

async function searched(
  caller: Caller,
  request: ContextSearchRequest,
  { discoveries, requests, firstWaitMs = FIRST_WAIT_MS, ...sight }: Parts,
  signal: AbortSignal,
): Promise<ContextSearchAnswer> {
  const started = performance.now()
  const { preparation } = sight
  const engine = await preparation.engineOf(caller.project)
  const answerOf = (found: Omit<ContextSearchAnswer, 'query' | 'searchTime'>) => ({
    ...found,
    query: request.query,
    searchTime: Math.round(performance.now() - started),
  })

  preparation.begin(caller)
  const inSight = await notesInSight(caller, request, sight, signal)
  // A few more than are shown, in case a discovery is no longer there.
  const wanted = {
    ...request,
    ...inSight,
    ...(request.source ? { sources: [request.source] } : {}),
    limit: request.limit + SPARE,
    limitsEachSource: true,
  }
  let found = await engine.search(wanted, signal)
  if (found.state !== 'ready' && (request.type === 'all' || found.results.length === 0)) {
    await preparation.settled(caller, firstWaitMs, signal)
    // A service that has just kept us waiting is not waited for again.
    const { embeddingFailure } = found
    const byWords = embeddingFailure?.timedOut
    found = await engine.search({ ...wanted, byWords }, signal)
    if (byWords) found = { ...found, embeddingFailure }
  }
  // Counted while they are looked up: hardly ever is one of the best no longer there.
  const likely = discoveriesIn(keepPlaces(found.results, request.limit))
  const [kept] = await Promise.all([
    withoutLost(caller, found.results, { discoveries, requests }),
    discoveries.countUse(caller, likely),
  ])
  const results = keepPlaces(kept, request.limit)
  const others = discoveriesIn(results).filter((id) => !likely.includes(id))
  await discoveries.countUse(caller, others)
  const { embeddingFailure } = found
  if (embeddingFailure && !embeddingFailure.timedOut)
    throw embeddingFailed(embeddingFailure.details, results)
  const problem = preparation.problemOf(caller)
  if (isDamage(problem)) throw problem
  const isReading = await preparation.isFirstReading(caller)
  const isBuilding = found.state !== 'ready' && !preparation.isSettled(caller)
  if (results.length > 0 || (!isBuilding && !(await isEmpty())))
    return answerOf({
      results,
      totalFound: found.totalFound - (found.results.length - kept.length),
      ...remarks({ isBuilding, isReading, isPartial: found.state !== 'ready', problem }, found),
    })
  if (!isBuilding) throw problem ? searchFailed(problem) : nothingIndexed()
  const wantsCode = request.type === 'all' && (request.source ?? 'code') === 'code'
  const byWords = wantsCode ? await lexicalSearch(caller.project, request, signal) : []
  if (byWords.length === 0) throw notReady()
  return answerOf({
    results: byWords.slice(0, request.limit),
    totalFound: byWords.length,
    ...remarks({ isBuilding, isReading, isPartial: true, problem }, found),
  })

  async function isEmpty(): Promise<boolean> {
    const { files, notes } = await engine.status()
    return files + notes === 0
  }
}

function discoveriesIn(results: readonly Pick<SearchResult, 'id' | 'source'>[]): string[] {
  return results.filter(({ source }) => source === 'discovery').map(({ id }) => id)
}

interface Progress {
  readonly isBuilding: boolean
  readonly isReading: boolean
  readonly isPartial: boolean
  readonly problem: unknown
}

/** What the reader must know besides the results: that some may be missing and why, or that there are none. */
function remarks(
  { isBuilding, isReading, isPartial, problem }: Progress,
  { results, embeddingFailure, problem: kept }: SearchAnswer,
): Pick<ContextSearchAnswer, 'partial' | 'message'> {
  const said: string[] = []
  const reason = problem === undefined ? kept : reasonOf(problem)
  if (reason !== undefined) said.push(`The index is incomplete: ${reason}`)
  else if (isBuilding)
    said.push('The index is still being built, so results are incomplete; try again in a moment')
  else if (isPartial) said.push('The code is not indexed: `secretary index` does it')
  else if (isReading)
    said.push('Dialogs are still being read, so results are incomplete; try again in a moment')
  if (embeddingFailure) said.push(`${embeddingFailure.details}; ${WORDS_ALONE}`)
  if (said.length === 0 && results.length === 0) said.push(NOTHING_FOUND)
  const message = said.length > 0 ? { message: said.join('. ') } : {}
  const isIncomplete = reason !== undefined || isPartial || isReading
  return { ...(isIncomplete ? { partial: true as const } : {}), ...message }
}

const WORDS_ALONE = 'these results match words only. Try using grep_codebase for text search'
const NOTHING_FOUND =
  'Nothing found: try other words, a name from the code, or grep_codebase for exact text'

/** Discoveries and shared requests that are gone are left out; what remains is shown as the contract has it. */
async function withoutLost(
  caller: Caller,
  results: readonly SearchResult[],
  { discoveries, requests }: Pick<Parts, 'discoveries' | 'requests'>,
): Promise<FoundItem[]> {
  const [mine, shared] = await Promise.all([
    discoveries.find(caller, discoveriesIn(results)),
    spacesOfResults(caller, results, requests),
  ])
  return results.flatMap((result): FoundItem[] => {
    if (shared.has(result.id)) {
      const from = shared.get(result.id)
      return from ? [{ ...shown(result), ...from }] : []
    }
    if (result.source !== 'discovery') return [shown(result)]
    const discovery = mine.get(result.id)
    if (!discovery) return []
    return [{ ...shown(result), ...standing(discovery) }]
  })
}

/** Where it came from, whom it belongs to, and why it may no longer hold. */
function standing({
  sources,
  files,
  changedFiles,
  newer,
  space,
}: CheckedDiscovery): Partial<FoundItem> {
  const { dialog, request } = sources.at(-1) ?? {}
  const from = {
    ...(dialog ? { dialog } : {}),
    ...(request ? { request } : {}),
    ...(files.length > 0 ? { files: files.map(({ path }) => path) } : {}),
  }
  const recheck = { needs_recheck: true as const, changedFiles: [...changedFiles] }
  return {
    ...(Object.keys(from).length > 0 ? { from } : {}),
    ...(newer ? { newer } : {}),
    ...(space ? { space } : {}),
    ...(changedFiles.length > 0 ? recheck : {}),
  }
}

function shown({ factors, content, ...rest }: SearchResult): FoundItem {
  return {
    ...rest,
    content: content.length > MAX_CONTENT ? `${content.slice(0, MAX_CONTENT)}…` : content,
    ...(factors ? { factors: { ...factors } } : {}),
  }
}

/** Before there is any index: files by how many of the query's words they hold, found by ripgrep. */
async function lexicalSearch(
  project: string,
  { query, module }: Pick<ContextSearchRequest, 'query' | 'module'>,
  signal: AbortSignal,
): Promise<FoundItem[]> {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const request = { pattern: words.join('|'), caseSensitive: false, limit: MATCHES_LOOKED_AT }
  const { matches } = await grep(project, request, signal, TIMEOUT_MS)
  const byFile = new Map<string, Match[]>()
  for (const match of matches) byFile.set(match.file, [...(byFile.get(match.file) ?? []), match])
  return [...byFile.values()]
    .flatMap((group) => itemOf(group, words))
    .filter((item) => !module || item.module === module)
    .sort((a, b) => b.score - a.score)
}

function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)))].slice(0, MAX_WORDS)
}

function itemOf(matches: readonly Match[], words: readonly string[]): FoundItem[] {
  const held = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length
  const best = matches.toSorted((a, b) => held(b.text) - held(a.text))[0]
  if (!best) return []
  const share = held([best.file, ...matches.map(({ text }) => text)].join('\n')) / words.length
  const { before, after } = best.context
  return [
    {
      id: createHash('sha256').update(`${best.file}:${best.line}`).digest('hex').slice(0, 16),
      type: 'code',
      source: 'code',
      content: [...before, best.text, ...after].join('\n'),
      module: moduleOf(best.file),
      session: null,
      date: new Date().toISOString(),
      score: Math.round(share * 0.5 * 1000) / 1000,
      file: best.file,
      line: best.line - before.length,
      endLine: best.line + after.length,
    },
  ]
}

interface Ranked {
  readonly source: ResultSource
  readonly score: number
  readonly session: string | null
}

/** The share of the places that each kind has for itself; what a kind does not fill goes to the best of the others. */
const SHARES: Readonly<Record<ResultSource, number>> = { session: 0.4, discovery: 0.2, code: 0.4 }
/** A note below this shares a word with the question and hardly more; the right dialogs of 48 questions had 0.27 and up. */
const MIN_SCORE = 0.25

/**
 * The best of all kinds, best first. Scores of code and of notes are made in different ways, and a project has far more
 * code: without places of their own, dialogs would hardly ever be among the first.
 */
export function keepPlaces<T extends Ranked>(results: readonly T[], limit: number): T[] {
  const chosen = new Set<T>()
  for (const source of Object.keys(SHARES) as ResultSource[]) {
    const places = Math.round(SHARES[source] * limit)
    for (const result of ofKind(results, source).slice(0, places))
      if (chosen.size < limit && result.score >= MIN_SCORE) chosen.add(result)
  }
  for (const result of results) if (chosen.size < limit) chosen.add(result)
  return results.filter((result) => chosen.has(result))
}

/** Of dialogs, each one once before any comes again. */
function ofKind<T extends Ranked>(results: readonly T[], source: ResultSource): T[] {
  const found = results.filter((result) => result.source === source)
  const seen = new Set<string>()
  const isFirst = ({ session }: T) =>
    session === null || (!seen.has(session) && seen.add(session) !== undefined)
  const first = new Set(found.filter(isFirst))
  return [...first, ...found.filter((result) => !first.has(result))]
}
