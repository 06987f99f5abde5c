import { languageOf } from '@secretary-mcp/search/syntax/languages.ts'
import { indexTerms } from '@secretary-mcp/search/text/index-terms.ts'
import type { Candidate } from './choose-parts.ts'
import type { PackRule } from './pack-types.ts'

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
