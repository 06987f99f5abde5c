import { excerptOf } from '@secretary-mcp/core/excerpt.ts'
import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { SearchResult } from '@secretary-mcp/search/search-types.ts'
import type { Candidate } from './choose-parts.ts'

const PASSAGES = 60
const PASSAGES_OF_FILE = 6
const TESTS = 20
const TITLE_LENGTH = 200
/** A longer passage is cut to the lines that say most of the goal. */
const LONGEST_PASSAGE = 700
const CUT_LINES = 45
const SIGNATURES_OF = 4

/** Passages of code that bear on a goal, the tests beside them, and what they call elsewhere. */
export async function codeCandidates(
  engine: SearchEngine,
  goal: string,
  signal: AbortSignal,
): Promise<{ candidates: Candidate[]; isPartial: boolean }> {
  const found = await engine.search(
    { query: goal, sources: ['code'], limit: PASSAGES, passagesOfFile: PASSAGES_OF_FILE },
    signal,
  )
  const title = (goal.trim().split('\n', 1)[0] ?? '').slice(0, TITLE_LENGTH)
  const tests = await engine.search(
    { query: `test ${title}`, sources: ['code'], limit: TESTS },
    signal,
  )
  const telling = found.results.filter(({ content }) => !isHeadingOnly(content))
  const passages = telling.map((result, at) =>
    passage(result, goal, { kind: 'code', why: 'matches the goal', worth: worthAt(result, at) }),
  )
  const covering = tests.results
    .filter(({ file = '' }) => engine.isTest(file))
    .map((result, at) =>
      passage(result, goal, { kind: 'test', why: 'a test of this', worth: worthAt(result, at) }),
    )
  return {
    candidates: [...passages, ...covering, ...(await signatures(engine, found.results, signal))],
    isPartial: found.state !== 'ready',
  }
}

/** Of a document, the title of what follows in parts of their own. */
function isHeadingOnly(content: string): boolean {
  return /^#{1,6} [^\n]*$/.test(content.trim())
}

/** Rank says more than the score itself: scores of a long question lie close together. */
function worthAt({ score }: SearchResult, at: number): number {
  return score / (1 + at / 20)
}

function passage(
  { file = '', line = 1, endLine, symbol, content }: SearchResult,
  goal: string,
  about: Pick<Candidate, 'kind' | 'why' | 'worth'>,
): Candidate {
  const isLong = estimateTokens(content) > LONGEST_PASSAGE
  const cut = isLong ? excerptOf(content, goal.slice(0, 500), CUT_LINES) : undefined
  const first = line + (cut?.skipped ?? 0)
  const last = cut ? first + cut.lines.length - 1 : (endLine ?? line)
  return {
    ...about,
    title: `${file}:${first}-${last}${symbol ? ` ${symbol}` : ''}`,
    text: cut ? cut.lines.map(({ text }) => text).join('\n') : content,
    file,
    line: first,
    endLine: last,
  }
}

/** The first line of what the best passages call and other files define. */
async function signatures(
  engine: SearchEngine,
  results: readonly SearchResult[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const best = results.slice(0, SIGNATURES_OF)
  const shown = new Set(best.map(({ file }) => file))
  const names = best.flatMap(
    ({ content }) => content.match(/(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]{3,}(?=\()/gu) ?? [],
  )
  const defined = await engine.define([...new Set(names)])
  signal.throwIfAborted()
  return defined
    .filter(({ file }) => !shown.has(file))
    .map(({ name, file, line, text }, at) => ({
      kind: 'signature' as const,
      title: `${file}:${line} ${name}`,
      why: 'called by the code above',
      text,
      file,
      line,
      endLine: line,
      worth: 1 / (2 + at),
    }))
}
