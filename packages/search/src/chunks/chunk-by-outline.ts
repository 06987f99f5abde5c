import type { Definition } from '../syntax/outline.ts'
import { type Chunk, type ChunkKind, FEW_CHUNK_CHARS, MOST_CHUNK_CHARS } from './chunk.ts'

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
export function chunkByOutline(lines: readonly string[], outline: readonly Definition[]): Chunk[] {
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
  if (fits(lines, start, end, MOST_CHUNK_CHARS) || definition.children.length === 0) {
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
  if (fits(lines, start, last, MOST_CHUNK_CHARS * 1.25)) return last
  let chars = 0
  let blank = -1
  for (let at = start; at <= last; at++) {
    const line = lines[at] ?? ''
    chars += line.length + 1
    if (chars > MOST_CHUNK_CHARS && at > start) return blank > start ? blank : at - 1
    if (line.trim() === '' && chars > MOST_CHUNK_CHARS / 2) blank = at
  }
  return last
}

const COMMENT_LINE = /^\s*(\/\/|\/?\*|#(?!\s*(if|else|endif|include|define))|--|;;|%|@|\[|"""|''')/

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
