export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly source: string }
  | { readonly kind: 'partial'; readonly name: string }
  | { readonly kind: 'section'; readonly name: string; readonly inverted: boolean; readonly nodes: readonly Node[] }

/** What is wrong with a template, in our own words. */
export class TemplateError extends Error {}

const DEEPEST_SECTIONS = 20

/**
 * Tags hold a dotted name and nothing else, so that `style={{ color: 'red' }}` in a document about React stays what it is.
 * Comments may hold anything. A section, partial or comment alone on its line takes the line with it.
 */
const TAG = /\{\{!(?<comment>[\s\S]*?)\}\}|\{\{\{\s*(?<raw>[\w.-]+)\s*\}\}\}|\{\{(?<sign>[#^/>&]?)\s*(?<name>[\w./-]+)\s*\}\}/g
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
  for (const tag of source.matchAll(TAG)) {
    const { comment, raw, sign = '', name = raw ?? '' } = tag.groups ?? {}
    let start = tag.index
    let end = start + tag[0].length
    if (start < from) continue
    if (comment !== undefined || (sign !== '' && sign !== '&')) {
      const before = OPENING_BLANK.exec(source.slice(Math.max(from, start - 200), start))
      const after = CLOSING_BLANK.exec(source.slice(end, end + 200))
      if (before && after) {
        start -= before[0].length - (before[1]?.length ?? 0)
        end += after[0].length
      }
    }
    if (start > from) add({ kind: 'text', text: source.slice(from, start) })
    from = end
    if (comment !== undefined) continue
    if (sign === '#' || sign === '^') stack.push({ name, inverted: sign === '^', nodes: [] })
    else if (sign === '/') close(stack, name)
    else if (sign === '>') add({ kind: 'partial', name })
    else add({ kind: 'variable', name, source: tag[0] })
    if (stack.length > DEEPEST_SECTIONS) throw new TemplateError(`sections nest deeper than ${DEEPEST_SECTIONS}`)
  }
  if (from < source.length) add({ kind: 'text', text: source.slice(from) })
  const open = stack.at(-1)
  if (stack.length > 1) throw new TemplateError(`the section ${open?.name} is not closed`)
  return open?.nodes ?? []
}

function close(stack: Open[], name: string): void {
  const open = stack.pop()
  if (!open || stack.length === 0) throw new TemplateError(`the section ${name} is closed but was not opened`)
  if (open.name !== name) throw new TemplateError(`the section ${open.name} is closed as ${name}`)
  stack.at(-1)?.nodes.push({ kind: 'section', ...open })
}
