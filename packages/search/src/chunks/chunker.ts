import type { Log } from '@secretary-mcp/core/log.ts'
import type { Language as Grammar, Node, Parser } from 'web-tree-sitter'
import { type Grammars, parseWithin } from '../syntax/grammars.ts'
import { type Language, languageOf } from '../syntax/languages.ts'
import { type Definition, type DefinitionKind, textOutline } from '../syntax/text-outline.ts'

/** A piece of a file that can be found on its own. Lines count from 1 and both ends belong to it. */
export interface Chunk {
  readonly line: number
  readonly endLine: number
  readonly kind: ChunkKind
  /** The names defined here, the most important first; a method carries its class: `Session.send`. */
  readonly symbols: readonly string[]
  /** What encloses it: the class of a method, the function of which this is a later part. */
  readonly scope: string
  readonly content: string
}

/** `type` is a class, interface, trait, struct or enum; `section` a heading with its text; `block` anything else. */
type ChunkKind = 'function' | 'type' | 'section' | 'block'

/** Most of what an agent wants to read at once, and about what one vector can still stand for. */
const MAX_CHUNK_CHARS = 1500
/** Neighbours smaller than this together share a chunk. */
const FEW_CHUNK_CHARS = 600

const COMMENT_LINE = /^\s*(\/\/|\/?\*|#(?!\s*(if|else|endif|include|define))|--|;;|%|@|\[|"""|''')/

/** Functions longer than this may hold inner ones worth finding; looking into every short one would cost more than it gives. */
const LONG_FUNCTION_LINES = 40
const DEEPEST = 24
const PLAIN_NAME = /^[\p{L}_$@.:~][\p{L}\p{N}_$@.:?!=~]*$/u

const HEADING = /^#{1,6}\s+(\S.*)$/

export interface Chunker {
  chunk(path: string, content: string): Promise<Chunk[]>
}

/** Prose and data have no definitions worth guessing at. */
const PLAIN = new Set(
  'text json yaml toml xml html ini css scss less restructuredtext asciidoc'.split(' '),
)

export function createChunker({
  grammars,
  log,
}: {
  readonly grammars: Grammars
  readonly log: Log
}): Chunker {
  let parser: Promise<Parser> | undefined
  const missing = new Set<string>()

  return {
    async chunk(path, content) {
      const language = languageOf(path)
      const lines = content.split(/\r?\n/)
      if (lines.at(-1) === '') lines.pop()
      if (language?.name === 'markdown') return chunkMarkdown(lines)
      const outline = language && (await outlineBySyntax(path, content, lines, language))
      if (outline) return chunkByOutline(lines, outline)
      return chunkByOutline(
        lines,
        language && !PLAIN.has(language.name) ? textOutline(lines, language.name) : [],
      )
    },
  }

  async function outlineBySyntax(
    path: string,
    content: string,
    lines: readonly string[],
    language: Language,
  ) {
    const grammar = language.functions && (await grammarFor(language))
    if (!grammar) return undefined
    parser ??= grammars.newParser()
    const ready = await parser
    try {
      ready.setLanguage(grammar)
      const tree = parseWithin(ready, content)
      if (!tree) log.warn({ path }, 'parsing a file took too long; it is indexed by lines')
      if (!tree) return undefined
      try {
        return patched(
          syntaxOutline(tree.rootNode, language),
          unparsedLines(tree.rootNode),
          lines,
          language.name,
        )
      } finally {
        tree.delete()
      }
    } catch (error) {
      // A parser that failed inside its wasm heap is not trusted with the next file.
      parser = undefined
      log.warn(
        { path, error: String(error) },
        'the parser failed on a file; it is indexed by lines',
      )
      return undefined
    }
  }

  async function grammarFor({ grammar: name }: Language): Promise<Grammar | undefined> {
    if (!name || missing.has(name)) return undefined
    return grammars.load(name).catch((error: unknown) => {
      missing.add(name)
      log.warn(
        { grammar: name, error: String(error) },
        'a grammar did not load; its files are indexed by lines',
      )
      return undefined
    })
  }
}

/** Where the grammar gave up, the definitions are read off the lines. */
function patched(
  outline: Definition[],
  unparsed: readonly (readonly [number, number])[],
  lines: readonly string[],
  language: string,
): Definition[] {
  if (unparsed.length === 0) return outline
  const within = ({ startLine, endLine }: Definition) =>
    unparsed.some(([first, last]) => startLine >= first && endLine <= last)
  return [...outline, ...textOutline(lines, language).filter(within)].sort(
    (a, b) => a.startLine - b.startLine,
  )
}

/** One section, one definition: a heading is to prose what a name is to code. */
export function chunkMarkdown(lines: readonly string[]): Chunk[] {
  return chunkByOutline(lines, sections(lines)).map((chunk) => ({
    ...chunk,
    kind: chunk.symbols.length > 0 ? 'section' : chunk.kind,
  }))
}

function sections(lines: readonly string[]): Definition[] {
  const headings: { name: string; startLine: number }[] = []
  let fenced = false
  lines.forEach((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    const heading = fenced ? null : HEADING.exec(line)
    const name = heading?.[1]
      ?.trimEnd()
      .replace(/(?<!#)#+$/, '')
      .trimEnd()
    if (name) headings.push({ name, startLine: at })
  })
  return headings.map(({ name, startLine }, i) => ({
    name,
    kind: 'type',
    startLine,
    endLine: (headings[i + 1]?.startLine ?? lines.length) - 1,
    children: [],
  }))
}

type Role = DefinitionKind | 'wrapper'

const rolesByLanguage = new Map<string, ReadonlyMap<string, Role>>()

/** The definitions of a syntax tree, nested. Only bodies that can hold definitions are entered. */
function syntaxOutline(root: Node, language: Language): Definition[] {
  return definitionsIn(root, rolesOf(language), 0, false)
}

/** Stretches that the grammar gave up on, as pairs of first and last line: a brace opened in two branches of an `#if` is enough. */
function unparsedLines(root: Node): (readonly [number, number])[] {
  if (!root.hasError) return []
  return root.namedChildren
    .filter((node) => node.type === 'ERROR')
    .map((node) => [node.startPosition.row, endRow(node)] as const)
}

function definitionsIn(
  parent: Node,
  roles: ReadonlyMap<string, Role>,
  depth: number,
  inFunction: boolean,
): Definition[] {
  const found: Definition[] = []
  if (depth > DEEPEST) return found
  for (const node of parent.namedChildren) {
    const role = roles.get(node.type)
    if (!role) continue
    if (role === 'wrapper') found.push(...definitionsIn(node, roles, depth + 1, inFunction))
    else found.push(...definitionAt(node, role, roles, depth, inFunction))
  }
  return found
}

function definitionAt(
  node: Node,
  role: DefinitionKind,
  roles: ReadonlyMap<string, Role>,
  depth: number,
  inFunction: boolean,
): Definition[] {
  const kind = role === 'value' ? valueKind(node) : role
  const name = nameOf(node)
  const startLine = node.startPosition.row
  const endLine = endRow(node)
  const body =
    role === 'value'
      ? (node.childForFieldName('value') ?? node.childForFieldName('right') ?? node)
      : node
  if (inFunction && kind === 'value') return []
  const enters =
    kind === 'type' ||
    kind === 'scope' ||
    (kind === 'function' && endLine - startLine > LONG_FUNCTION_LINES)
  const children = enters ? definitionsIn(body, roles, depth + 1, kind === 'function') : []
  return name ? [{ name, kind, startLine, endLine, children }] : children
}

/** A node that ends at column 0 ended with the line before. */
function endRow(node: Node): number {
  const { row, column } = node.endPosition
  return column === 0 && row > node.startPosition.row ? row - 1 : row
}

function valueKind(node: Node): DefinitionKind {
  const value = node.childForFieldName('value') ?? node.childForFieldName('right')
  if (!value) return 'value'
  if (/^(arrow_function|function_expression|function|generator_function|lambda)$/.test(value.type))
    return 'function'
  return value.type === 'class' ? 'type' : 'value'
}

function nameOf(node: Node): string | undefined {
  const named =
    node.childForFieldName('name') ??
    node.childForFieldName('left') ??
    declared(node) ??
    implemented(node) ??
    powershellName(node)
  const name = named?.text
  if (!name || name.length > 120 || !PLAIN_NAME.test(name)) return undefined
  const receiver = node
    .childForFieldName('receiver')
    ?.text.match(/(?<![\p{L}\p{N}_])([\p{L}\p{N}_]{1,120})(\[[^\]]{0,200}\])?\s{0,20}\)$/u)?.[1]
  const plain = name.replaceAll('::', '.').replace(/^(module\.)?exports\./, '')
  return receiver ? `${receiver}.${plain}` : plain
}

/** C and C++ wrap the name in declarators: pointer, function, array. */
function declared(node: Node): Node | null {
  let declarator = node.childForFieldName('declarator')
  for (let next = declarator; next; next = declarator?.childForFieldName('declarator') ?? null)
    declarator = next
  return declarator
}

function implemented(node: Node): Node | null {
  const type = node.childForFieldName('type')
  return type?.childForFieldName('type') ?? type
}

function powershellName(node: Node): Node | null {
  return (
    node.namedChildren.find(
      (child) => child.type === 'function_name' || child.type === 'simple_name',
    ) ?? null
  )
}

function rolesOf(language: Language): ReadonlyMap<string, Role> {
  const known = rolesByLanguage.get(language.name)
  if (known) return known
  const roles = new Map<string, Role>()
  const add = (types: readonly string[] | undefined, role: Role) => {
    for (const type of types ?? []) roles.set(type, role)
  }
  add(language.wrappers, 'wrapper')
  add(language.functions, 'function')
  add(language.types, 'type')
  add(language.values, 'value')
  add(language.scopes, 'scope')
  rolesByLanguage.set(language.name, roles)
  return roles
}

interface Segment {
  readonly start: number
  readonly end: number
  /** Where the definition itself begins, below its comments. */
  readonly head: number
  readonly kind: ChunkKind
  readonly symbols: readonly string[]
  readonly scope: string
}

/** Cuts a file at its definitions: small neighbours share a chunk, a large one is cut at its own definitions or at blank lines. */
function chunkByOutline(lines: readonly string[], outline: readonly Definition[]): Chunk[] {
  const segments = segmentsOf(lines, outline, 0, lines.length - 1, '', 'block', [], 0)
  return merged(lines, segments)
    .flatMap((segment) => cut(lines, segment))
    .map(({ start, end, kind, symbols, scope }) => ({
      line: start + 1,
      endLine: end + 1,
      kind,
      symbols,
      scope,
      content: text(lines, start, end),
    }))
    .filter((chunk) => chunk.content.trim() !== '')
}

/** The lines from `first` to `last`: what lies between the definitions, and each definition. The first stretch belongs to the owner. */
function segmentsOf(
  lines: readonly string[],
  outline: readonly Definition[],
  first: number,
  last: number,
  scope: string,
  ownerKind: ChunkKind,
  ownerSymbols: readonly string[],
  ownerHead: number,
): Segment[] {
  const segments: Segment[] = []
  let at = first
  let kind = ownerKind
  let symbols = ownerSymbols
  let head = ownerHead
  const between = (end: number) => {
    if (end >= at)
      segments.push({
        start: at,
        end,
        head: Math.min(Math.max(head, at), end),
        kind,
        symbols,
        scope,
      })
    kind = 'block'
    symbols = []
    head = at
  }
  for (const definition of outline) {
    const start = Math.max(withComments(lines, definition.startLine, at), at)
    const end = Math.min(definition.endLine, last)
    if (end < at) {
      // Two definitions on one line: the chunk that has the line has both names.
      const previous = segments.pop()
      if (previous)
        segments.push({
          ...previous,
          symbols: [...previous.symbols, qualified(scope, definition.name)],
        })
      continue
    }
    if (start > at || symbols.length > 0) between(start - 1)
    segments.push(...definitionSegments(lines, definition, start, end, scope))
    at = end + 1
  }
  between(last)
  return segments
}

function definitionSegments(
  lines: readonly string[],
  definition: Definition,
  start: number,
  end: number,
  scope: string,
): Segment[] {
  const name = qualified(scope, definition.name)
  const kind =
    definition.kind === 'function' || definition.kind === 'type' ? definition.kind : 'block'
  const own = definition.kind === 'scope' ? [] : [name]
  const head = Math.min(Math.max(definition.startLine, start), end)
  if (fits(lines, start, end, MAX_CHUNK_CHARS) || definition.children.length === 0) {
    return [{ start, end, head, kind, symbols: [...own, ...namesBelow(definition, name)], scope }]
  }
  return segmentsOf(lines, definition.children, start, end, name, kind, own, head)
}

function merged(lines: readonly string[], segments: readonly Segment[]): Segment[] {
  const result: Segment[] = []
  for (const segment of segments) {
    const previous = result.at(-1)
    const mayJoin = previous && (segment.kind !== 'type' || previous.symbols.length === 0)
    if (mayJoin && fits(lines, previous.start, segment.end, FEW_CHUNK_CHARS))
      result[result.length - 1] = joined(previous, segment)
    else result.push(segment)
  }
  return result
}

function joined(a: Segment, b: Segment): Segment {
  const kind =
    a.kind === 'type' || b.kind === 'type' ? 'type' : a.kind === 'block' ? b.kind : a.kind
  return {
    start: a.start,
    end: b.end,
    head: a.symbols.length > 0 ? a.head : b.head,
    kind,
    symbols: [...a.symbols, ...b.symbols],
    scope: a.scope || b.scope,
  }
}

/**
 * A segment too long for one chunk, cut near the limit, at a blank line where there is one in the second half. The piece with the
 * definition's own first line carries its names; the others know it as their scope.
 */
function cut(lines: readonly string[], segment: Segment): Segment[] {
  const pieces: Segment[] = []
  for (let start = segment.start; start <= segment.end; ) {
    const end = Math.min(segment.end, breakAfter(lines, start, segment.end))
    const isHead = segment.head >= start && segment.head <= end
    pieces.push(
      isHead
        ? { ...segment, start, end }
        : {
            ...segment,
            start,
            end,
            kind: 'block',
            symbols: [],
            scope: segment.symbols[0] ?? segment.scope,
          },
    )
    start = end + 1
  }
  return pieces
}

function breakAfter(lines: readonly string[], start: number, last: number): number {
  // A little too long is better than a scrap of a few lines.
  if (fits(lines, start, last, MAX_CHUNK_CHARS * 1.25)) return last
  let chars = 0
  let blank = -1
  for (let at = start; at <= last; at++) {
    const line = lines[at] ?? ''
    chars += line.length + 1
    if (chars > MAX_CHUNK_CHARS && at > start) return blank > start ? blank : at - 1
    if (line.trim() === '' && chars > MAX_CHUNK_CHARS / 2) blank = at
  }
  return last
}

/** Comments, decorators and attributes above a definition belong to it; a blank line may follow a block comment. */
function withComments(lines: readonly string[], start: number, floor: number): number {
  let at = start
  if (at - 1 > floor && lines[at - 1]?.trim() === '' && /^\s*\*+\/\s*$/.test(lines[at - 2] ?? ''))
    at--
  while (at > floor && COMMENT_LINE.test(lines[at - 1] ?? '')) at--
  return at
}

function namesBelow(definition: Definition, scope: string): string[] {
  return definition.children.flatMap((child) => {
    const name = qualified(scope, child.name)
    return child.kind === 'scope' ? namesBelow(child, name) : [name, ...namesBelow(child, name)]
  })
}

function qualified(scope: string, name: string): string {
  return scope && !name.startsWith(`${scope}.`) ? `${scope}.${name}` : name
}

/** Stops at the limit: a long stretch is asked about once for each of its chunks. */
function fits(lines: readonly string[], start: number, end: number, limit: number): boolean {
  let chars = 0
  for (let at = start; at <= end && chars <= limit; at++) chars += (lines[at]?.length ?? 0) + 1
  return chars <= limit
}

function text(lines: readonly string[], start: number, end: number): string {
  return lines.slice(start, end + 1).join('\n')
}
