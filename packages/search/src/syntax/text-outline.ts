import { isName, type LinePattern, linePatterns } from './line-definitions.ts'
import type { Definition, DefinitionKind } from './outline.ts'

/** Deeper than this, a `val` or a `let` is a local. */
const LOCAL_INDENT = 5
const LONGEST_LINE = 400

/** The definitions of a language without a grammar, read off the lines: a keyword, a name, and the indentation for nesting. */
export function textOutline(lines: readonly string[], language?: string): Definition[] {
  const patterns = linePatterns(language)
  const found: Open[] = []
  lines.forEach((line, at) => {
    const definition = definitionOn(line, patterns)
    // The clauses of one function follow each other: `reply(Status) -> …; reply(_) -> …`.
    if (!definition || isNextClause(found.at(-1), definition, lines, at)) return
    found.push({ ...definition, startLine: at, endLine: endOf(lines, at, definition.indent) })
  })
  return nested(found)
}

interface Open {
  readonly name: string
  readonly kind: DefinitionKind
  readonly indent: number
  readonly startLine: number
  readonly endLine: number
}

function definitionOn(
  line: string,
  patterns: readonly LinePattern[],
): Pick<Open, 'name' | 'kind' | 'indent'> | undefined {
  if (line.length > LONGEST_LINE) return undefined
  for (const [pattern, kind] of patterns) {
    const match = pattern.exec(line)
    const name = match?.[2]?.replace(/(?<![<:.-])[<:.-]+$/, '').split('<', 1)[0]
    if (!name || !isName(name, pattern)) continue
    const indent = width(match?.[1] ?? '')
    // `struct queue q;` declares a variable, not a type.
    if (kind === 'type' && indent > 0 && /;\s*$/.test(line)) return undefined
    if (kind === 'value' && indent >= LOCAL_INDENT) return undefined
    return { name, kind, indent }
  }
  return undefined
}

function isNextClause(
  before: Open | undefined,
  { name, kind, indent }: Pick<Open, 'name' | 'kind' | 'indent'>,
  lines: readonly string[],
  at: number,
): boolean {
  return (
    before !== undefined &&
    before.name === name &&
    before.kind === kind &&
    before.indent === indent &&
    /;\s*$/.test(lines[at - 1] ?? '')
  )
}

/** Up to the last line that is indented deeper, with the closing line where there is one. */
function endOf(lines: readonly string[], start: number, indent: number): number {
  let end = start
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (width(line) > indent) end = at
    else if (/^\s*([})\]]|end\b)/.test(line)) return at
    else if (/^\s*[{(]\s*$/.test(line)) end = at
    else break
  }
  return end
}

function width(line: string): number {
  let columns = 0
  for (const letter of line) {
    if (letter === ' ') columns++
    else if (letter === '\t') columns += 4
    else break
  }
  return columns
}

function nested(found: readonly Open[]): Definition[] {
  const top: (Definition & { children: Definition[] })[] = []
  const open: (Definition & { children: Definition[] })[] = []
  for (const { name, kind, startLine, endLine } of found) {
    while (open.length > 0 && (open.at(-1)?.endLine ?? 0) < startLine) open.pop()
    const parent = open.at(-1)
    // A local value inside a function is not worth finding by name.
    if (parent?.kind === 'function' && kind === 'value') continue
    const definition = { name, kind, startLine, endLine, children: [] }
    ;(parent?.children ?? top).push(definition)
    open.push(definition)
  }
  return top
}
