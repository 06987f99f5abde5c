/** Markdown as data: what a document says, before anybody decides how it looks. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list'
      readonly ordered: boolean
      readonly start: number
      readonly items: readonly (readonly Block[])[]
    }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'rule' }

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/
const ITEM = /^( *)([-*+]|(\d{1,9})[.)])\s+(.*)$/
const DIVIDER = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/
const DEEPEST = 12

export function parseBlocks(source: string, depth = 0): Block[] {
  const lines = source.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  let at = 0
  const take = (parsed: Parsed) => {
    blocks.push(parsed.block)
    at = parsed.next
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') at++
    else if (FENCE.test(line)) take(fence(lines, at))
    else if (/^ {0,3}#{1,6}\s/.test(line)) take(heading(line, at))
    else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line))
      take({ block: { kind: 'rule' }, next: at + 1 })
    else if (/^ {0,3}>/.test(line) && depth < DEEPEST) take(quote(lines, at, depth))
    else if (ITEM.test(line) && depth < DEEPEST) take(list(lines, at, depth))
    else if (line.includes('|') && DIVIDER.test(lines[at + 1] ?? '')) take(table(lines, at))
    else take(paragraph(lines, at))
  }
  return blocks
}

interface Parsed {
  readonly block: Block
  readonly next: number
}

function fence(lines: readonly string[], start: number): Parsed {
  const [, marks = '```', language = ''] = FENCE.exec(lines[start] ?? '') ?? []
  let end = start + 1
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(marks)) end++
  return {
    block: { kind: 'code', language, text: lines.slice(start + 1, end).join('\n') },
    next: end + 1,
  }
}

function heading(line: string, at: number): Parsed {
  const [, marks = '#', text = ''] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) ?? []
  return { block: { kind: 'heading', level: marks.length, text }, next: at + 1 }
}

function quote(lines: readonly string[], start: number, depth: number): Parsed {
  let end = start
  while (end < lines.length && /^ {0,3}>/.test(lines[end] ?? '')) end++
  const inner = lines.slice(start, end).map((line) => line.replace(/^ {0,3}> ?/, ''))
  return { block: { kind: 'quote', blocks: parseBlocks(inner.join('\n'), depth + 1) }, next: end }
}

function list(lines: readonly string[], start: number, depth: number): Parsed {
  const [, indent = '', , number] = ITEM.exec(lines[start] ?? '') ?? []
  const ordered = number !== undefined
  const items: string[][] = []
  let at = start
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [, own = '', , ownNumber, text = ''] = ITEM.exec(line) ?? []
    const begins = ITEM.test(line) && own.length <= indent.length + 1
    if (begins && (ownNumber !== undefined) !== ordered) break
    if (begins) items.push([text])
    else if (line.trim() === '' && !continues(lines[at + 1], indent)) break
    else
      items
        .at(-1)
        ?.push(line.slice(Math.min(indent.length + 2, line.length - line.trimStart().length)))
    at++
  }
  const parsed = items.map((item) => parseBlocks(item.join('\n'), depth + 1))
  return { block: { kind: 'list', ordered, start: Number(number ?? 1), items: parsed }, next: at }
}

function continues(line: string | undefined, indent: string): boolean {
  return line !== undefined && (line.startsWith(`${indent}  `) || ITEM.test(line))
}

function table(lines: readonly string[], start: number): Parsed {
  let end = start + 2
  while (end < lines.length && (lines[end] ?? '').includes('|')) end++
  const head = cells(lines[start] ?? '')
  return { block: { kind: 'table', head, rows: lines.slice(start + 2, end).map(cells) }, next: end }
}

function cells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function paragraph(lines: readonly string[], start: number): Parsed {
  let end = start + 1
  while (end < lines.length && !interrupts(lines[end] ?? '')) end++
  return { block: { kind: 'paragraph', text: lines.slice(start, end).join('\n') }, next: end }
}

function interrupts(line: string): boolean {
  return (
    line.trim() === '' || FENCE.test(line) || ITEM.test(line) || /^ {0,3}(#{1,6}\s|>)/.test(line)
  )
}
