import { type Tag, tagsIn } from './tags.ts'

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly source: string }
  | { readonly kind: 'partial'; readonly name: string }
  | {
      readonly kind: 'section'
      readonly name: string
      readonly inverted: boolean
      readonly nodes: readonly Node[]
    }

/** What is wrong with a template, in our own words. */
export class TemplateError extends Error {}

const DEEPEST_SECTIONS = 20
const LONGEST_BLANK = 200
const OPENING_BLANK = /(^|\n)[ \t]*$/
const CLOSING_BLANK = /^[ \t]*(\r?\n|$)/

interface Open {
  readonly name: string
  readonly inverted: boolean
  readonly nodes: Node[]
}

export function parseTemplate(source: string): readonly Node[] {
  const stack: Open[] = [{ name: '', inverted: false, nodes: [] }]
  const add = (node: Node) => stack.at(-1)?.nodes.push(node)
  let from = 0
  for (const tag of tagsIn(source)) {
    const { start, end } = tag.kind === 'variable' ? tag : withLine(tag, source, from)
    if (start > from) add({ kind: 'text', text: source.slice(from, start) })
    from = end
    if (tag.kind === 'open' || tag.kind === 'inverted')
      stack.push({ name: tag.name, inverted: tag.kind === 'inverted', nodes: [] })
    else if (tag.kind === 'close') close(stack, tag.name)
    else if (tag.kind === 'partial') add({ kind: 'partial', name: tag.name })
    else if (tag.kind === 'variable')
      add({ kind: 'variable', name: tag.name, source: source.slice(start, end) })
    if (stack.length > DEEPEST_SECTIONS)
      throw new TemplateError(`sections nest deeper than ${DEEPEST_SECTIONS}`)
  }
  if (from < source.length) add({ kind: 'text', text: source.slice(from) })
  const open = stack.at(-1)
  if (stack.length > 1) throw new TemplateError(`the section ${open?.name} is not closed`)
  return open?.nodes ?? []
}

/** A section, partial or comment alone on its line takes the line with it. */
function withLine(
  { kind, start, end }: Tag,
  source: string,
  from: number,
): { start: number; end: number } {
  const before = OPENING_BLANK.exec(source.slice(Math.max(from, start - LONGEST_BLANK), start))
  const after = CLOSING_BLANK.exec(source.slice(end, end + LONGEST_BLANK))
  if (!before || !after || kind === 'partial') return { start, end }
  return { start: start - before[0].length + (before[1]?.length ?? 0), end: end + after[0].length }
}

function close(stack: Open[], name: string): void {
  const open = stack.pop()
  if (!open || stack.length === 0)
    throw new TemplateError(`the section ${name} is closed but was not opened`)
  if (open.name !== name) throw new TemplateError(`the section ${open.name} is closed as ${name}`)
  stack.at(-1)?.nodes.push({ kind: 'section', ...open })
}
