import { excerptOf } from '@secretary-mcp/core/excerpt.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { ResultSource, SearchResult } from '@secretary-mcp/search/search-types.ts'
import { languageOf } from '@secretary-mcp/search/syntax/languages.ts'
import { indexTerms } from '@secretary-mcp/search/text/index-terms.ts'
import { readProjectFile } from '../files/file-reader.ts'
import type { FoundNote } from '../notes-in-sight.ts'
import type { Pack, PackKind, PackPart, PackPorts, PackRule } from './pack-types.ts'

/** What each kind may take of the budget before the rest is shared out; code gets what the others leave. */
const SHARES: Readonly<Record<PackKind, number>> = {
  rule: 0.06,
  wish: 0.08,
  command: 0.04,
  code: 1,
  signature: 0.06,
  test: 0.12,
  decision: 0.08,
  request: 0.08,
}
const ORDER = Object.keys(SHARES) as PackKind[]
const MAX_LEFT = 20
/** Title, reason and place cost too. */
const FRAME_TOKENS = 12

const PASSAGES = 60
const PASSAGES_OF_FILE = 6
const TESTS = 20
const TITLE_LENGTH = 200
/** A longer passage is cut to the lines that say most of the goal. */
const MAX_PASSAGE = 700
const CUT_LINES = 45
const SIGNATURES_OF = 4

/** Files in which a project tells agents how to work on it. */
const FILES = ['AGENTS.md', 'CLAUDE.md']
const MIN_LENGTH = 20
const MAX_LENGTH = 300

const NOTES = 8
const RULES = 10
const MAX_NOTE = 1_200

interface Parts {
  readonly engine: SearchEngine
  readonly notes: {
    findNotes(
      caller: Caller,
      wanted: { query: string; sources: readonly ResultSource[]; limit: number },
      signal: AbortSignal,
    ): Promise<FoundNote[]>
  }
  readonly ports: PackPorts
}

/** What to read before beginning: rules, wishes, commands, code, tests and what was said before, within a budget. */
export async function packFor(
  caller: Caller,
  { goal, budget }: { readonly goal: string; readonly budget: number },
  { engine, notes, ports }: Parts,
  signal: AbortSignal,
): Promise<Pack> {
  const find = (source: ResultSource) =>
    notes.findNotes(caller, { query: goal, sources: [source], limit: NOTES }, signal)
  const [code, noted, said, own, rules, wishes, commands] = await Promise.all([
    codeCandidates(engine, goal, signal),
    find('discovery'),
    find('session'),
    readProjectRules(caller.project, signal),
    orNothing(ports.rules?.(caller, RULES, signal), signal),
    orNothing(ports.wishes?.(caller, signal), signal),
    orNothing(ports.commands?.(caller, signal), signal),
  ])
  const candidates: Candidate[] = [
    ...code.candidates,
    ...[...noted, ...said].map(noteCandidate),
    ...rulesFor(goal, [...own, ...rules], code.candidates).map(({ text, from }, at) =>
      line('rule', text, from ? `a rule of this project (${from})` : 'from the guide', at),
    ),
    ...wishes.map(({ text, isPinned }, at) =>
      line(
        'wish',
        text,
        isPinned ? 'pinned by the person' : 'the person asked for this from now on',
        at,
      ),
    ),
    ...commands.map(({ command, kind, passed }, at) =>
      line(
        'command',
        command,
        `${kind}; worked ${passed} ${passed === 1 ? 'time' : 'times'} here`,
        at,
      ),
    ),
  ]
  return {
    goal,
    budget,
    ...chooseParts(candidates, budget),
    ...(code.isPartial
      ? { message: 'The index is still being built, so code may be missing; try again in a moment' }
      : {}),
  }
}

function line(kind: Candidate['kind'], text: string, why: string, at: number): Candidate {
  const [name = text] = text.split(' · ')
  const title = name.length > 60 ? `${name.slice(0, 60).trimEnd()}…` : name
  return { kind, title, why, text, worth: 1 / (1 + at) }
}

function noteCandidate({
  source,
  type,
  content,
  session,
  id,
  date,
  score,
  space,
  by,
}: FoundNote): Candidate {
  const index = Number(/\/(\d+)$/.exec(id)?.[1]) || undefined
  const day = date.slice(0, 10)
  return {
    kind: source === 'session' ? 'request' : 'decision',
    title: source === 'session' ? `request of ${day}` : `${type} of ${day}`,
    why: `${source === 'session' ? 'an earlier request about the same and its answer' : 'recorded about this'}${
      space === undefined ? '' : `; a colleague’s, not a rule: ${sharedBy(by, space)}`
    }`,
    ...(space === undefined ? {} : { space, ...(by === undefined ? {} : { by }) }),
    text: content.length > MAX_NOTE ? `${content.slice(0, MAX_NOTE)}…` : content,
    ...(session ? { session } : {}),
    ...(source === 'session' && index !== undefined ? { index } : {}),
    worth: score,
  }
}

function sharedBy(by: string | undefined, space: string): string {
  return `${quoteLine(by ?? 'somebody')} in the space ${quoteLine(space)}`
}

/** Another family that fails costs its part, not the pack. */
async function orNothing<T>(
  asked: Promise<readonly T[]> | undefined,
  signal: AbortSignal,
): Promise<readonly T[]> {
  try {
    return (await asked) ?? []
  } catch {
    signal.throwIfAborted()
    return []
  }
}

/** What the project's own instructions say, an item of a list each; of a file without lists, each line of prose. */
async function readProjectRules(project: string, signal: AbortSignal): Promise<PackRule[]> {
  const rules = new Map<string, PackRule>()
  // The one is often a copy of the other, or a link to it.
  for (const file of FILES)
    for (const text of await linesOf(project, file, signal))
      if (!rules.has(text)) rules.set(text, { text, from: file })
  return [...rules.values()]
}

async function linesOf(project: string, file: string, signal: AbortSignal): Promise<string[]> {
  const text = await readProjectFile(project, file, {}, signal).then(
    (read) => read.file.content,
    (error: unknown) => {
      if (error instanceof Failure) return ''
      throw error
    },
  )
  const prose = withoutComments(text.replace(/^(```|~~~).*?^\1/gms, ''))
  const items = [...prose.matchAll(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(\S.*)$/gm)].map(
    ([, item = '']) => item,
  )
  const lines =
    items.length > 0 ? items : prose.split('\n').filter((line) => !/^\s*[#|>@]/.test(line))
  return lines
    .map((line) => line.replace(/\*\*|__/g, '').trim())
    .filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH)
}

/** By their ends: a pattern would read on to the end of the text from every beginning. */
function withoutComments(text: string): string {
  let rest = ''
  let from = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start)
    rest += text.slice(from, start)
    if (end === -1) return rest
    from = end + 3
  }
  return rest + text.slice(from)
}

/** Passages of code that bear on a goal, the tests beside them, and what they call elsewhere. */
async function codeCandidates(
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
  const isLong = estimateTokens(content) > MAX_PASSAGE
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

/** The rules that bear on a goal, those first that speak of what it speaks of. */
export function rulesFor(
  goal: string,
  rules: readonly PackRule[],
  code: readonly Candidate[],
): PackRule[] {
  const wanted = new Set(indexTerms(goal))
  const shared = ({ text }: PackRule) =>
    new Set(indexTerms(text).filter((term) => wanted.has(term))).size
  return rules
    .filter(({ only }) => only === undefined || isAbout(only, goal, code))
    .map((rule) => ({ rule, shared: shared(rule) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ rule }) => rule)
}

/** A language by the files at hand, a framework by what they name, either by what was asked. */
function isAbout(only: string, goal: string, code: readonly Candidate[]): boolean {
  const named = new RegExp(`\\b(?:${only.split(/\W+/).join('|')})\\b`, 'i')
  return (
    named.test(goal) || code.some(({ file = '', text }) => isIn(file, only) || named.test(text))
  )
}

function isIn(file: string, language: string): boolean {
  const name = languageOf(file)?.name
  // Of TypeScript the grammar alone is another one.
  return (name === 'tsx' ? 'typescript' : name) === language
}

/** A part that may go in, and what it is worth. */
export interface Candidate extends Omit<PackPart, 'tokens'> {
  readonly worth: number
}

/** The parts of most worth for each token within the budget, and a line for each that did not fit. */
export function chooseParts(
  candidates: readonly Candidate[],
  budget: number,
): { parts: PackPart[]; left: string[]; tokens: number } {
  const sized = candidates
    .map((one) => ({ ...one, tokens: costOf(one) }))
    .sort((a, b) => b.worth / Math.sqrt(b.tokens) - a.worth / Math.sqrt(a.tokens))
  const taken: (typeof sized)[number][] = []
  const spent = new Map<PackKind, number>()
  let tokens = 0
  const take = (one: (typeof sized)[number], most: number) => {
    const ofKind = (spent.get(one.kind) ?? 0) + one.tokens
    if (tokens + one.tokens > budget || ofKind > most || repeats(one, taken)) return
    spent.set(one.kind, ofKind)
    tokens += one.tokens
    taken.push(one)
  }
  for (const kind of ORDER)
    if (kind !== 'code')
      for (const one of sized) if (one.kind === kind) take(one, SHARES[kind] * budget)
  for (const one of sized) if (one.kind === 'code') take(one, budget)
  const parts = [...taken]
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.worth - a.worth)
    .map(({ worth: _worth, ...part }) => part)
  const left = sized
    .filter((one) => !taken.includes(one) && !repeats(one, taken))
    .slice(0, MAX_LEFT)
    .map(({ kind, title, tokens: cost }) => `${title} (${kind}, ${cost} tokens)`)
  return { parts, left, tokens }
}

function costOf({ title, why, text }: Candidate): number {
  return estimateTokens(text) + estimateTokens(title) + estimateTokens(why) + FRAME_TOKENS
}

/** The same lines of a file, or the same words. */
function repeats(one: Candidate, taken: readonly Candidate[]): boolean {
  return taken.some(
    (other) =>
      other !== one &&
      (other.text === one.text ||
        (one.file !== undefined &&
          one.file === other.file &&
          (one.line ?? 0) <= (other.endLine ?? 0) &&
          (other.line ?? 0) <= (one.endLine ?? 0))),
  )
}
