import { createHash } from 'node:crypto'
import { moduleOf } from '@secretary-mcp/search/module-of.ts'
import { STOP_WORDS } from '@secretary-mcp/search/text/stop-words.ts'
import type { ContextSearchRequest, FoundItem } from './context-search-types.ts'
import { grep } from './grep/grep.ts'
import type { Match } from './grep/match-collector.ts'

const MOST_WORDS = 8
const MATCHES_LOOKED_AT = 400
const TIMEOUT_MS = 1_000

/** Before there is any index: files by how many of the query's words they hold, found by ripgrep. */
export async function lexicalSearch(
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
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)))].slice(0, MOST_WORDS)
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
