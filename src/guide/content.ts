import { Result } from '../core/result.ts'
import type { Caller } from '../core/tool.ts'
import { type ContentFormat, formatContent, type Rendered } from './content-format.ts'
import { type Document, isProblem, type Problem } from './documents/document.ts'
import { templateProblem } from './documents/parse-document.ts'
import { parseExpression } from './expression.ts'
import { meets } from './flag-value.ts'
import { loadGlobs } from './glob.ts'
import { instructionFor } from './instructions.ts'
import { quoted } from './names.ts'
import type { Project } from './project/project.ts'
import { type Selected, select, uriOf } from './select.ts'
import { type Node, TemplateError } from './template/parse-template.ts'
import { type Data, renderTemplate } from './template/render-template.ts'

export interface Content {
  readonly content: string
  readonly documents: readonly { readonly uri: string; readonly name: string }[]
  readonly total: number
  readonly problems?: readonly Problem[]
  readonly next_offset?: number
}

export interface Found extends Selected {
  readonly document: Document
}

/** About 12,000 tokens: what an agent can take in one answer. */
export const LONGEST_ANSWER = 48_000
const LONGEST_DOCUMENT = 2 * 1024 * 1024
const MOST_PROBLEMS = 20

export async function getContent(
  project: Project,
  caller: Caller,
  { expression, pattern, offset = 0 }: { expression: string; pattern?: string; offset?: number },
): Promise<Result<Content>> {
  const { selected, problems } = select(parseExpression(expression, pattern), project, await loadGlobs())
  const { found, broken } = readAll(selected, project)
  const page = renderPage(found.slice(offset), project, caller)
  const told = [...problems, ...broken, ...page.problems]
  const nextOffset = offset + page.count
  const value: Content = {
    content: formatContent(page.rendered, formatOf(project)),
    documents: page.rendered.map(({ uri, name }) => ({ uri, name })),
    total: found.length,
    ...(told.length > 0 ? { problems: told.slice(0, MOST_PROBLEMS) } : {}),
    ...(nextOffset < found.length ? { next_offset: nextOffset } : {}),
  }
  if (found.length === 0) return nothingFound(value, expression, pattern)
  return Result.ok(value, {
    instruction: instructionFor(page.shown),
    message: nextOffset < found.length ? `${found.length - nextOffset} more: ask again with offset ${nextOffset}` : undefined,
  })
}

/** The documents that are for this project, each followed by those it includes, each once. */
export function readAll(selected: readonly Selected[], project: Project): { found: Found[]; broken: Problem[] } {
  const found = new Map<string, Found>()
  const seen = new Set<string>()
  const broken: Problem[] = []
  const take = (one: Selected) => {
    if (seen.has(one.file.path)) return
    seen.add(one.file.path)
    const document = project.shelf.read(one.file)
    if (isProblem(document)) return void broken.push(document)
    if (!isFor(document, project)) return
    found.set(one.file.path, { ...one, document })
    for (const include of document.includes) {
      const file = project.shelf.find(include)
      if (file) take({ file, uri: uriOf(include.split('/')[0] ?? '', file.path.split('/').slice(1).join('/')) })
      else
        broken.push({
          document: document.path,
          error_type: 'not_found',
          error: `it includes ${quoted(include)}, which does not exist`,
        })
    }
  }
  for (const one of selected) take(one)
  return { found: [...found.values()], broken }
}

export function isFor({ requires }: Document, { flags }: Project): boolean {
  return Object.entries(requires).every(([name, wanted]) => meets(wanted, Object.hasOwn(flags, name) ? flags[name] : undefined))
}

interface Page {
  readonly rendered: readonly Rendered[]
  readonly shown: readonly Document[]
  readonly problems: readonly Problem[]
  /** How many documents this page used up, the broken ones with them. */
  readonly count: number
}

function renderPage(found: readonly Found[], project: Project, caller: Caller): Page {
  const rendered: Rendered[] = []
  const shown: Document[] = []
  const problems: Problem[] = []
  let room = LONGEST_ANSWER
  let count = 0
  for (const { document, uri } of found) {
    const text = renderDocument(document, project, caller)
    if (typeof text === 'string' && text.length > room && rendered.length > 0) break
    count++
    if (typeof text !== 'string') {
      problems.push(text)
      continue
    }
    room -= text.length
    rendered.push({ uri, name: document.path, text: cut(text, uri) })
    shown.push(document)
  }
  return { rendered, shown, problems, count }
}

function cut(text: string, uri: string): string {
  if (text.length <= LONGEST_ANSWER) return text
  return `${text.slice(0, LONGEST_ANSWER)}\n\n[cut: read_resource with uri ${uri} and offset ${LONGEST_ANSWER} gives the rest]`
}

export function renderDocument(document: Document, project: Project, caller: Caller): string | Problem {
  const partial = (name: string): readonly Node[] | undefined => {
    const file = project.shelf.find(name)
    const read = file && project.shelf.read(file)
    return read && !isProblem(read) ? read.nodes : undefined
  }
  try {
    return renderTemplate(document.nodes, { data: dataOf(project, caller), partial, longest: LONGEST_DOCUMENT })
  } catch (error) {
    if (error instanceof TemplateError) return templateProblem(document.path, error)
    throw error
  }
}

function dataOf(project: Project, caller: Caller): Data {
  return {
    project: { name: project.name, key: project.key, path: project.path, profiles: activeProfiles(project) },
    client: { name: caller.client ?? '' },
    flags: project.flags,
  }
}

export function activeProfiles({ profiles, detected }: Project): readonly string[] {
  return profiles.length > 0 ? profiles : detected
}

function formatOf({ flags }: Project): ContentFormat {
  const format = Object.hasOwn(flags, 'content-format') ? flags['content-format'] : undefined
  return format === 'plain' || format === 'mime' ? format : 'none'
}

function nothingFound(value: Content, expression: string, pattern: string | undefined): Result<Content> {
  const asked = quoted(pattern ? `${expression}/${pattern}` : expression)
  return Result.ok(value, {
    message: `No document matches ${asked}`,
    instruction: 'Do not invent rules. category_list_files shows which documents there are; go on without them otherwise.',
  })
}
