import type { Document, DocumentFile, Problem } from './document.ts'
import { FrontMatterError, type ParseYaml, splitFrontMatter } from './front-matter.ts'

/** A dotted name and nothing else, so that `style={{ color: 'red' }}` in a document about React stays what it is. */
const NAME = /^\{?([#^/>&]?)\s*([\w./-]+)\s*$/
const MAX_TAG = 200
const DEEPEST_SECTIONS = 20
const MAX_BLANK = 200
const OPENING_BLANK = /(^|\n)[ \t]*$/
const CLOSING_BLANK = /^[ \t]*(\r?\n|$)/

/** A document from its text, or what is wrong with it. */
export function parseDocument(
  { path, layer }: Pick<DocumentFile, 'path' | 'layer'>,
  source: string,
  parseYaml: ParseYaml,
): Document | Problem {
  if (source.includes('\0'))
    return { document: path, error_type: 'file_read_error', error: 'it is not a text file' }
  try {
    const { front, body } = splitFrontMatter(source, parseYaml)
    const nodes: readonly Node[] = front.template
      ? parseTemplate(body)
      : [{ kind: 'text', text: body }]
    return {
      ...front,
      path,
      layer,
      title: front.title ?? headingOf(body) ?? stemOf(path),
      description: front.description ?? firstLineOf(body),
      body,
      nodes,
    }
  } catch (error) {
    if (error instanceof FrontMatterError)
      return { document: path, error_type: 'front_matter_error', error: error.message }
    if (error instanceof TemplateError) return templateProblem(path, error)
    throw error
  }
}

export function templateProblem(path: string, error: TemplateError): Problem {
  return {
    document: path,
    error_type: 'template_error',
    error: `${error.message}; \`template: false\` in its front matter keeps it as written`,
  }
}

/** The last part of a path without its extensions. */
export function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.mustache$/i, '').replace(/\.\w+$/, '')
}

function headingOf(body: string): string | undefined {
  return /^#\s+(.{1,120})/m.exec(body)?.[1]?.trim()
}

function firstLineOf(body: string): string | undefined {
  return /^(?!#|---|```|\s*$)[^\n]{1,160}/m.exec(body.slice(0, 4_000))?.[0].trim()
}

const KINDS: Readonly<Record<string, Tag['kind']>> = {
  '#': 'open',
  '^': 'inverted',
  '/': 'close',
  '>': 'partial',
}

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
  const before = OPENING_BLANK.exec(source.slice(Math.max(from, start - MAX_BLANK), start))
  const after = CLOSING_BLANK.exec(source.slice(end, end + MAX_BLANK))
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

interface Tag {
  readonly kind: 'open' | 'inverted' | 'close' | 'partial' | 'comment' | 'variable'
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The tags of a text in order. Each end is looked for once: no text takes more than one pass. */
function* tagsIn(source: string): Generator<Tag> {
  let close = -1
  let start = source.indexOf('{{')
  while (start >= 0) {
    if (close < start + 2) close = source.indexOf('}}', start + 2)
    if (close < 0) return
    const tag = tagAt(source, start, close)
    if (tag) yield tag
    start = source.indexOf('{{', tag ? tag.end : start + 1)
  }
}

function tagAt(source: string, start: number, close: number): Tag | undefined {
  if (source[start + 2] === '!') return { kind: 'comment', name: '', start, end: close + 2 }
  if (close - start > MAX_TAG) return undefined
  const inside = source.slice(start + 2, close)
  const [, sign = '', name] = NAME.exec(inside) ?? []
  const isTriple = inside.startsWith('{')
  if (name === undefined || (isTriple && (sign !== '' || source[close + 2] !== '}')))
    return undefined
  return { kind: KINDS[sign] ?? 'variable', name, start, end: close + (isTriple ? 3 : 2) }
}
