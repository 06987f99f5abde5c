import type { Result } from '@secretary-mcp/core/result.ts'
import { isApprovedPlan, titleOf } from '@secretary-mcp/transcripts/authorship.ts'
import type { Toolbox } from '../agent.ts'
import { quoted } from '../facts.ts'
import type { Question } from './rule.ts'
import type { LedgerEntryFacts, Wording } from './wording.ts'

type Look = (tool: string, args: object) => Promise<Result>

interface FoundRequest {
  readonly sessionId?: string
  readonly source?: string
  readonly index: number
  readonly timestamp: number
  readonly request: string
}

const MAX_REQUESTS = 3
const MAX_FOUND = 5
const MAX_ENTRIES = 10

/** Looks up what only the dialogs and the project can answer. */
export async function answerQuestion(
  question: Question,
  call: Look,
  toolbox: Pick<Toolbox, 'nameOf'>,
  words: Wording,
): Promise<string> {
  const tool = toolbox.nameOf(toolFor(question))
  if (tool === undefined) return words.notOffered
  const look = (ownName: string, args: object) => call(toolbox.nameOf(ownName) ?? ownName, args)
  switch (question.kind) {
    case 'why':
      return why(question, look, words)
    case 'find':
      return find(question.words, look, words)
    case 'fate':
      return fate(question.words, look, words)
    default:
      return question.words === ''
        ? latest(question.which, look, words)
        : asked(question, look, words)
  }
}

function toolFor({ kind, ...question }: Question): string {
  if (kind === 'why') return 'why'
  if (kind === 'find') return 'context_search'
  const isAbout = 'words' in question && question.words !== ''
  return isAbout ? 'search_requests' : kind === 'fate' ? 'ledger' : 'recall'
}

async function asked(
  { words: query }: { readonly words: string },
  look: Look,
  words: Wording,
): Promise<string> {
  const found = await searchRequests(query, look)
  if (found.length === 0) return words.noRequest(query)
  return found.map((one) => requestText(one, words)).join('\n\n')
}

async function searchRequests(query: string, look: Look): Promise<readonly FoundRequest[]> {
  const result = await look('search_requests', { query, limit: MAX_REQUESTS })
  const { results = [] } = (result.value ?? {}) as { results?: FoundRequest[] }
  return results
}

async function latest(
  which: 'first' | 'last' | undefined,
  look: Look,
  words: Wording,
): Promise<string> {
  const { value } = await look('recall', {})
  const { firstRequest, latestRequests = [] } = (value ?? {}) as {
    firstRequest?: FoundRequest
    latestRequests?: FoundRequest[]
  }
  const ordered = latestRequests.toSorted((a, b) => a.index - b.index)
  const all = [...(firstRequest ? [firstRequest] : []), ...ordered]
  const wanted = which === 'first' ? all.slice(0, 1) : which === 'last' ? all.slice(-1) : all
  if (wanted.length === 0) return words.noRequest('')
  return wanted.map((one) => requestText(one, words)).join('\n\n')
}

/** The requests that fit best, each with what the ledger proves of it; without words, those of the dialog. */
async function fate(query: string, look: Look, words: Wording): Promise<string> {
  if (query === '') {
    const entries = await ledger({ limit: MAX_ENTRIES }, look)
    if (entries.length === 0) return words.noRequest('')
    return entries.map((one) => `${requestText(one, words)}\n→ ${words.state(one)}`).join('\n\n')
  }
  const found = await searchRequests(query, look)
  if (found.length === 0) return words.noRequest(query)
  const texts: string[] = []
  for (const one of found) {
    const [entry] = await ledger({ sessionId: one.sessionId, index: one.index }, look)
    texts.push(`${requestText(one, words)}${entry ? `\n→ ${words.state(entry)}` : ''}`)
  }
  return texts.join('\n\n')
}

type LedgerEntry = LedgerEntryFacts & FoundRequest

async function ledger(args: object, look: Look): Promise<readonly LedgerEntry[]> {
  const { value } = await look('ledger', args)
  return ((value ?? {}) as { entries?: LedgerEntry[] }).entries ?? []
}

async function why(
  { file, line, endLine }: Extract<Question, { kind: 'why' }>,
  look: Look,
  words: Wording,
): Promise<string> {
  const result = await look('why', { file, line, ...(endLine > line ? { endLine } : {}) })
  if (!result.success)
    return result.errorType === 'not_found'
      ? words.noReason(`${file}:${line}`)
      : words.failed(result)
  const { requests = [], note } = result.value as { requests?: FoundRequest[]; note?: string }
  if (requests.length === 0)
    return [words.noReason(`${file}:${line}`), note].filter(Boolean).join(' ')
  return requests.map((one) => requestText(one, words)).join('\n\n')
}

interface FoundItem {
  readonly content: string
  readonly file?: string
  readonly line?: number
  readonly symbol?: string
}

async function find(query: string, look: Look, words: Wording): Promise<string> {
  const result = await look('context_search', { query, limit: MAX_FOUND })
  const { results = [], message } = (result.value ?? {}) as {
    results?: FoundItem[]
    message?: string
  }
  if (results.length === 0) return [words.nothingFound(query), message].filter(Boolean).join(' ')
  return results
    .map(({ content, file, line, symbol }) => {
      const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`
      return [[place, symbol].filter(Boolean).join(' '), quoted(content)].filter(Boolean).join('  ')
    })
    .join('\n')
}

function requestText(found: FoundRequest, words: Wording): string {
  const { request } = found
  return `${words.requestHead(found)} ${quoted(isApprovedPlan(request) ? titleOf(request) : request)}`
}
