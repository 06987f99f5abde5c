import { Failure, type FailureKind } from '@secretary-mcp/core/failure.ts'
import { requirePattern } from './glob.ts'
import { ASK, isName, quoted } from './names.ts'

/** One part of an expression: a collection or category, and the patterns said with it. */
export interface Part {
  readonly name: string
  readonly patterns?: readonly string[]
}

export const LONGEST_EXPRESSION = 2_000
const MOST_PARTS = 50

/**
 * `lang/python+go,docs/api,guidelines`: commas part, the first slash splits, pluses gather.
 * `pattern` is for the parts that carry none: `("lang", "python")` is `("lang/python")`.
 */
export function parseExpression(expression: string, pattern?: string): Part[] {
  if (expression.length > LONGEST_EXPRESSION) {
    throw invalid(
      `An expression has at most ${LONGEST_EXPRESSION} characters: ${quoted(expression)}`,
    )
  }
  const fallback = pattern === undefined || pattern.trim() === '' ? undefined : patternsOf(pattern)
  const parts = splitOutsideBraces(expression, ',').map((part) => partOf(part, fallback))
  if (parts.length === 0)
    throw invalid('The expression is empty; name a category or collection, such as lang/python')
  if (parts.length > MOST_PARTS) throw invalid(`An expression has at most ${MOST_PARTS} parts`)
  return parts
}

export function formatPart({ name, patterns }: Part): string {
  return patterns ? `${name}/${patterns.join('+')}` : name
}

function partOf(text: string, fallback: readonly string[] | undefined): Part {
  const slash = text.indexOf('/')
  const name = (slash < 0 ? text : text.slice(0, slash)).trim()
  if (!isName(name))
    throw invalid(`Not the name of a category or collection: ${quoted(name)}`, 'invalid_name')
  const patterns = slash < 0 ? [] : patternsOf(text.slice(slash + 1))
  return patterns.length > 0 ? { name, patterns } : { name, patterns: fallback }
}

function patternsOf(text: string): string[] {
  const patterns = splitOutsideBraces(text, '+')
  if (patterns.length > MOST_PARTS) throw invalid(`At most ${MOST_PARTS} patterns go with one name`)
  return patterns.map(requirePattern)
}

function splitOutsideBraces(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '{') depth++
    if (letter === '}' && depth > 0) depth--
    if (letter === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function invalid(message: string, errorType: FailureKind = 'invalid_expression'): Failure {
  return new Failure(errorType, message, { instruction: ASK })
}
