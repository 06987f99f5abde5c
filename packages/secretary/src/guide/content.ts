import { createHash } from 'node:crypto'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { type Document, isProblem, type Problem } from './documents/document.ts'
import type { DocumentType } from './documents/front-matter.ts'
import { quoted } from './names.ts'
import type { Project } from './project/project.ts'
import { renderDocument } from './render-document.ts'
import { howToGoOn, MAX_ANSWER } from './schemas.ts'
import {
  type Found,
  gather,
  parseExpression,
  type Selected,
  select,
  untrustedProblem,
  uriOf,
} from './select.ts'

const BY_TYPE: Readonly<Record<DocumentType, string>> = {
  'user/information': 'Show this content to the person as it is; do not interpret it.',
  'agent/information': 'Use this content as background; do not show it unless you are asked.',
  'agent/instruction':
    'Follow these rules in this project. Tell the person where a request conflicts with them.',
}
const MAX_LENGTH = 2_000

export interface Content {
  readonly content: string
  readonly documents: readonly { readonly uri: string; readonly name: string }[]
  readonly total: number
  readonly problems?: readonly Problem[]
  readonly next_offset?: number
}

interface Asked {
  readonly expression: string
  readonly pattern?: string
  /** Documents to skip. */
  readonly offset?: number
}

const MAX_PROBLEMS = 20

export async function getContent(
  project: Project,
  caller: Caller,
  { expression, pattern, offset = 0 }: Asked,
): Promise<Result<Content>> {
  const { selected, problems } = select(parseExpression(expression, pattern), project)
  const page = pageOf(selected, offset, project, (found) =>
    renderDocument(found.document, project, caller),
  )
  const shownProblems = [...untrustedProblem(project), ...problems, ...page.problems]
  const next = offset + page.used
  const value: Content = {
    content: formatContent(page.rendered, formatOf(project)),
    documents: page.rendered.map(({ uri, name }) => ({ uri, name })),
    total: page.total,
    ...(shownProblems.length > 0 ? { problems: shownProblems.slice(0, MAX_PROBLEMS) } : {}),
    ...(next < page.total ? { next_offset: next } : {}),
  }
  if (page.total === 0) return nothingFound(value, expression, pattern)
  return Result.ok(value, {
    instruction: instructionFor(page.shown),
    message: next < page.total ? howToGoOn(page.total, next) : undefined,
  })
}

interface Page {
  readonly rendered: readonly Rendered[]
  readonly shown: readonly Document[]
  readonly problems: readonly Problem[]
  /** How many documents this page used up, the broken ones with them. */
  readonly used: number
  readonly total: number
}

/** What is shown is read fresh; what lies before and behind the page is only counted. */
function pageOf(
  selected: readonly Selected[],
  offset: number,
  project: Project,
  render: (found: Found) => string | Problem,
): Page {
  const rendered: Rendered[] = []
  const shown: Document[] = []
  const problems: Problem[] = []
  let total = 0
  let used = 0
  let room = MAX_ANSWER
  let isFull = false
  const { shelf } = project
  for (const found of gather(selected, project, (file) =>
    isFull || total < offset ? shelf.peek(file) : shelf.read(file),
  )) {
    if (isProblem(found)) {
      problems.push(found)
      continue
    }
    if (total++ < offset || isFull) continue
    const text = render(found)
    if (isProblem(text)) {
      problems.push(text)
      used++
      continue
    }
    isFull = text.length > room && rendered.length > 0
    if (isFull) continue
    room -= text.length
    used++
    const uri = uriOf(found)
    rendered.push({ uri, name: found.document.path, text: cut(text, uri) })
    shown.push(found.document)
  }
  return { rendered, shown, problems, used, total }
}

function cut(text: string, uri: string): string {
  if (text.length <= MAX_ANSWER) return text
  return `${text.slice(0, MAX_ANSWER)}\n\n[cut: the rest is at ${uri}, from offset ${MAX_ANSWER}]`
}

function formatOf({ flags }: Project): ContentFormat {
  const format = Object.hasOwn(flags, 'content-format') ? flags['content-format'] : undefined
  return format === 'plain' || format === 'mime' ? format : 'none'
}

function nothingFound(
  value: Content,
  expression: string,
  pattern: string | undefined,
): Result<Content> {
  const asked = quoted(pattern ? `${expression}/${pattern}` : expression)
  return Result.ok(value, {
    message: value.problems
      ? `What matches ${asked} cannot be read; see problems`
      : `No document matches ${asked}`,
    instruction:
      'Do not invent rules. `category_list_files` lists the documents; if none fits, continue without.',
  })
}

/** One instruction for a result: an important one beats the ordinary ones; the same words come once. */
function instructionFor(
  documents: readonly Pick<Document, 'type' | 'instruction' | 'important'>[],
): string | undefined {
  const important = documents.filter((document) => document.important)
  const heard = important.length > 0 ? important : documents
  const said = new Set(heard.map(({ type, instruction }) => instruction || BY_TYPE[type]))
  return said.size > 0 ? [...said].join('\n').slice(0, MAX_LENGTH) : undefined
}

interface Rendered {
  readonly uri: string
  readonly name: string
  readonly text: string
}

type ContentFormat = 'none' | 'plain' | 'mime'

function formatContent(documents: readonly Rendered[], format: ContentFormat): string {
  if (format === 'mime') return multipart(documents)
  if (format === 'plain')
    return documents.map(({ name, text }) => `--- ${name} ---\n${text.trimEnd()}\n`).join('\n')
  return documents.map(({ text }) => `${text.trimEnd()}\n`).join('\n')
}

function multipart(documents: readonly Rendered[]): string {
  const boundary = boundaryFor(documents)
  const parts = documents.map(({ uri, text }) =>
    [
      `--${boundary}`,
      'Content-Type: text/markdown; charset=utf-8',
      `Content-Location: ${uri}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  )
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts,
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

/** The same documents give the same text; a boundary that occurs in one of them is no boundary. */
function boundaryFor(documents: readonly Rendered[]): string {
  const hash = createHash('sha256')
  for (const { text } of documents) hash.update(text)
  let boundary = `guide-${hash.digest('hex').slice(0, 16)}`
  while (documents.some(({ text }) => text.includes(boundary))) boundary += 'x'
  return boundary
}
