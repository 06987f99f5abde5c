import type { Definition, DefinitionKind } from './outline.ts'

const MODIFIERS =
  '(?:(?:pub(?:\\([a-z]+\\))?|public|private|protected|internal|fileprivate|open|final|abstract|sealed|static|inline|override|suspend|export|default|extern|implicit|lazy|virtual|async|data|case|local|mutating|external|unsafe|noncomputed|tailrec|operator|infix|indirect|comptime|@\\w+(?:\\([^)]*\\))?)\\s+)*'
const TYPE_WORDS =
  'class|struct|interface|trait|object|enum|protocol|extension|actor|record|module|defmodule|defprotocol|defimpl|namespace|package|contract|newtype|instance|mixin|union|companion object|enum class|annotation class|typealias|type|data'
const FUNCTION_WORDS =
  'func|fun|fn|def|defp|defmacro|defmacrop|defn|defn-|function|sub|proc|procedure|method|macro|let rec|subroutine|task'
const VALUE_WORDS = 'val|var|let|const|define'
const NAME = "([\\p{L}_$][\\p{L}\\p{N}_$.:?!'<>-]*)"

const DEFINITIONS: readonly (readonly [RegExp, DefinitionKind])[] = [
  [new RegExp(`^(\\s*)${MODIFIERS}(?:${TYPE_WORDS})\\s+${NAME}`, 'u'), 'type'],
  // Zig: `pub const Parser = struct {`.
  [/^(\s*)(?:pub\s+)?const\s+([\p{L}_][\p{L}\p{N}_]*)\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union|opaque)\b/u, 'type'],
  [new RegExp(`^(\\s*)${MODIFIERS}(?:${FUNCTION_WORDS})\\s+(?:\\([^)]*\\)\\s*)?(?:<[^>]*>\\s*)?${NAME}`, 'u'), 'function'],
  // Lua and scripts: `M.name = function(`.
  [/^(\s*)(?:local\s+)?([\p{L}_][\p{L}\p{N}_.:]*)\s*=\s*function\b/u, 'function'],
  // Haskell, Elm and PureScript signatures at the left edge: `name :: Type`.
  [/^()([a-z_][\p{L}\p{N}_']*)\s*::?\s+[\p{L}([]/u, 'function'],
  // C-like: a return type, a name and an opening bracket at the left edge.
  [/^()(?:[\p{L}_][\p{L}\p{N}_<>,*&:[\]]*\s+)+\**([\p{L}_][\p{L}\p{N}_:]*)\s*\([^;]*$/u, 'function'],
  [new RegExp(`^(\\s*)${MODIFIERS}(?:${VALUE_WORDS})\\s+(?:mut\\s+)?${NAME}`, 'u'), 'value'],
]

const NOT_NAMES = new Set('if else for while switch return do in of is case then with when new end match try catch'.split(' '))
/** Deeper than this, a `val` or a `let` is a local. */
const LOCAL_INDENT = 5

/** The definitions of a language without a grammar, read off the lines: a keyword, a name, and the indentation for nesting. */
export function textOutline(lines: readonly string[]): Definition[] {
  const found: Open[] = []
  lines.forEach((line, at) => {
    const definition = definitionOn(line)
    if (definition) found.push({ ...definition, startLine: at, endLine: endOf(lines, at, definition.indent) })
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

function definitionOn(line: string): Pick<Open, 'name' | 'kind' | 'indent'> | undefined {
  if (line.length > 400) return undefined
  for (const [pattern, kind] of DEFINITIONS) {
    const match = pattern.exec(line)
    const name = match?.[2]?.replace(/[<:.-]+$/, '').replace(/<.*$/, '')
    if (!name || NOT_NAMES.has(name)) continue
    const indent = width(match?.[1] ?? '')
    // `struct queue q;` declares a variable, not a type.
    if (kind === 'type' && indent > 0 && /;\s*$/.test(line)) return undefined
    if (kind === 'value' && indent >= LOCAL_INDENT) return undefined
    return { name, kind, indent }
  }
  return undefined
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
