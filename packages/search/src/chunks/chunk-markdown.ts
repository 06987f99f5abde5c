import type { Definition } from '../syntax/outline.ts'
import type { Chunk } from './chunk.ts'
import { chunkByOutline } from './chunk-by-outline.ts'

const HEADING = /^#{1,6}\s+(\S.*)$/

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
