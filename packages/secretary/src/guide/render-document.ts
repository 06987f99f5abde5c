import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type Document, isProblem, type Problem } from './documents/document.ts'
import { type Node, TemplateError, templateProblem } from './documents/parse-document.ts'
import type { Project } from './project/project.ts'

const DEEPEST_PARTIALS = 8
/** Sections over lists multiply: a small template could otherwise run for hours without writing anything. */
const MAX_STEPS = 200_000

const MAX_DOCUMENT = 2 * 1024 * 1024

/** The document's text for this project and client, or what is wrong with it. */
export function renderDocument(
  document: Document,
  project: Project,
  caller: Caller,
): string | Problem {
  const partial = (name: string): readonly Node[] | undefined => {
    const file = project.shelf.find(name)
    const read = file && project.shelf.read(file)
    return read && !isProblem(read) ? read.nodes : undefined
  }
  try {
    return renderTemplate(document.nodes, {
      data: dataOf(project, caller),
      partial,
      longest: MAX_DOCUMENT,
    })
  } catch (error) {
    if (error instanceof TemplateError) return templateProblem(document.path, error)
    throw error
  }
}

export function activeProfiles({ profiles, detected }: Project): readonly string[] {
  return profiles.length > 0 ? profiles : detected
}

function dataOf(project: Project, caller: Caller): Data {
  return {
    project: {
      name: project.name,
      key: project.key,
      path: project.path,
      profiles: activeProfiles(project),
    },
    client: { name: caller.client ?? '' },
    flags: project.flags,
  }
}

type Data = { readonly [key: string]: unknown }

interface Rendering {
  readonly data: Data
  /** The nodes of another document; undefined where there is none. */
  readonly partial: (name: string) => readonly Node[] | undefined
  readonly longest: number
}

/** Renders within bounds, whatever the template does. Values are plain data: no functions run, nothing inherited is seen. */
export function renderTemplate(
  nodes: readonly Node[],
  { data, partial, longest }: Rendering,
): string {
  const out: string[] = []
  let length = 0
  let steps = 0

  const write = (text: string) => {
    length += text.length
    if (length > longest) throw new TemplateError(`it grows beyond ${longest} characters`)
    out.push(text)
  }

  const render = (list: readonly Node[], scopes: readonly unknown[], depth: number): void => {
    for (const node of list) {
      if (++steps > MAX_STEPS) throw new TemplateError('it takes too many steps')
      if (node.kind === 'text') write(node.text)
      else if (node.kind === 'variable') write(variable(node, scopes))
      else if (node.kind === 'partial') renderPartial(node.name, scopes, depth)
      else
        for (const scope of scopesOf(lookup(node.name, scopes), node.inverted))
          render(node.nodes, [...scopes, scope], depth)
    }
  }

  const renderPartial = (name: string, scopes: readonly unknown[], depth: number) => {
    if (depth >= DEEPEST_PARTIALS)
      throw new TemplateError(`documents include each other deeper than ${DEEPEST_PARTIALS}`)
    const included = partial(name)
    if (!included) throw new TemplateError(`it includes ${name}, which does not exist`)
    render(included, scopes, depth + 1)
  }

  render(nodes, [data], 0)
  return out.join('')
}

/** A name that means nothing here is another language's and stays as written. */
function variable(
  { name, source }: { name: string; source: string },
  scopes: readonly unknown[],
): string {
  const value = lookup(name, scopes)
  if (value !== undefined && value !== null) return textOf(value)
  const root = name.split('.')[0] ?? name
  return name === '.' || scopes.some((scope) => owns(scope, root)) ? '' : source
}

function lookup(name: string, scopes: readonly unknown[]): unknown {
  if (name === '.') return scopes.at(-1)
  const [first = '', ...rest] = name.split('.')
  const scope = scopes.findLast((candidate) => owns(candidate, first))
  return [first, ...rest].reduce<unknown>(
    (value, key) => (owns(value, key) ? value[key] : undefined),
    scope,
  )
}

function owns(value: unknown, key: string): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key)
}

function scopesOf(value: unknown, inverted: boolean): readonly unknown[] {
  const empty =
    value === undefined ||
    value === null ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  if (inverted) return empty ? [{}] : []
  if (empty) return []
  return Array.isArray(value) ? value : [value]
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
