import { Failure, type FailureKind } from '@secretary-mcp/core/failure.ts'
import { type Document, type DocumentFile, isProblem, type Problem } from './documents/document.ts'
import { meets } from './flag-value.ts'
import { compileGlob, type Matches, requirePattern } from './glob.ts'
import { ASK, isDocumentName, isLeftOut, isName, quoted } from './names.ts'
import {
  type Category,
  type Collection,
  PROJECT_COLLECTION,
  type Project,
} from './project/project.ts'

const MAX_LINE = 160

const MAX_EXPRESSION = 2_000
const MAX_PARTS = 50

const MAX_NAMED = 5

/** A document and the category by which it was found. */
export interface Selected {
  readonly file: DocumentFile
  readonly category: Pick<Category, 'name' | 'dir'>
}

export interface Selection {
  readonly selected: readonly Selected[]
  /** Parts of collections that lead nowhere; they cost only themselves. */
  readonly problems: readonly Problem[]
}

/** Documents for the parts of an expression, in order, each once. */
export function select(parts: readonly Part[], project: Project): Selection {
  const found = new Map<string, Selected>()
  const problems: Problem[] = []
  const visited = new Set<string>()

  const visit = (part: Part, inside: readonly string[]): boolean => {
    const collection = inside.includes(part.name) ? undefined : project.collections.get(part.name)
    if (collection) {
      // Seen before means that its documents are already here: neither a cycle nor a maze of collections costs more.
      const key = formatPart(part)
      if (visited.has(key)) return true
      visited.add(key)
      openCollection(collection, part, [...inside, part.name])
      return true
    }
    const category = project.categories.get(part.name)
    if (!category) return false
    for (const selected of inCategory(category, part.patterns ?? category.patterns, project)) {
      if (!found.has(selected.file.path)) found.set(selected.file.path, selected)
    }
    return true
  }

  const openCollection = (
    collection: Collection,
    { name, patterns }: Part,
    inside: readonly string[],
  ) => {
    for (const inner of collection.categories.flatMap((item) => parseExpression(item))) {
      const known = visit({ name: inner.name, patterns: patterns ?? inner.patterns }, inside)
      if (!known && !inside.includes(inner.name)) problems.push(missing(name, inner.name))
    }
  }

  for (const part of parts) if (!visit(part, [])) throw unknownName(part.name, project)
  return { selected: [...found.values()], problems }
}

export function inCategory(
  category: Category,
  patterns: readonly string[],
  project: Project,
): Selected[] {
  const taken = patterns.flatMap((pattern) => filesIn(project.shelf.files, category.dir, pattern))
  return [...new Set(taken)].map((file) => ({ file, category }))
}

type Files = readonly DocumentFile[]

const MAX_REMEMBERED = 500
/** By the list of documents: it is the same object as long as none comes or goes. */
const remembered = new WeakMap<Files, Map<string, Files>>()

function filesIn(files: Files, dir: string, pattern: string): Files {
  const known = remembered.get(files) ?? new Map<string, Files>()
  const key = `${dir}\n${pattern}`
  const found = known.get(key) ?? matching(files, dir, pattern)
  if (known.size >= MAX_REMEMBERED) known.clear()
  remembered.set(files, known.set(key, found))
  return found
}

function matching(files: Files, dir: string, pattern: string): Files {
  const prefix = dir === '.' ? '' : `${dir}/`
  const matches = matcherOf(pattern)
  return files.filter(
    ({ path }) => path.startsWith(prefix) && !isLeftOut(path) && matches(path.slice(prefix.length)),
  )
}

export function uriOf({ file, category }: Selected): string {
  const rest = category.dir === '.' ? file.path : file.path.slice(category.dir.length + 1)
  return `guide://${[category.name, ...rest.split('/')].map(encodeURIComponent).join('/')}`
}

/** Without an extension a pattern also names documents of any kind and the folder of that name. */
function matcherOf(pattern: string): Matches {
  const exact = compileGlob(pattern)
  if (isDocumentName(pattern) || pattern === '**/*') return exact
  const others = ['.{md,markdown,txt,mustache}', '.md.mustache', '/**/*'].map((ending) =>
    compileGlob(pattern + ending),
  )
  return (path) => exact(path) || others.some((matches) => matches(path))
}

function missing(collection: string, name: string): Problem {
  return {
    document: collection,
    error_type: 'not_found',
    error: `the collection names ${quoted(name)}, which does not exist`,
  }
}

const MAX_SUGGESTED = 30

export function unknownName(name: string, project: Project): Failure {
  const known = [...project.collections.keys(), ...project.categories.keys()]
  const [untrusted] = untrustedProblem(project)
  const why = untrusted ? `; ${untrusted.error}` : ''
  return new Failure('not_found', `There is no collection or category ${quoted(name)}${why}`, {
    instruction: `Do not guess. Known names: ${[...new Set(known)].slice(0, MAX_SUGGESTED).join(', ')}.`,
  })
}

/** Names what a project brought along and nobody has trusted yet; never says what is in it. */
export function untrustedProblem({ shelf: { untrusted } }: Pick<Project, 'shelf'>): Problem[] {
  if (untrusted.length === 0) return []
  const named = untrusted.slice(0, MAX_NAMED).map((path) => quoted(path))
  const more = untrusted.length > MAX_NAMED ? ` and ${untrusted.length - MAX_NAMED} more` : ''
  return [
    {
      document: '.guide',
      error_type: 'untrusted',
      error: `documents of the project's .guide are new or changed, not trusted, and were left out: ${named.join(', ')}${more}. After reading them, the person trusts them with \`secretary guide trust\``,
    },
  ]
}

export interface Found extends Selected {
  readonly document: Document
}

type Read = (file: DocumentFile) => Document | Problem

/** The documents that are for this project, each followed by those it includes, each once; and what is broken. */
export function* gather(
  selected: readonly Selected[],
  project: Project,
  read: Read,
): Generator<Found | Problem> {
  const seen = new Set<string>()
  const waiting = selected.toReversed()
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one.file.path)) continue
    seen.add(one.file.path)
    const document = read(one.file)
    if (isProblem(document)) {
      yield document
      continue
    }
    if (!isFor(document, project)) continue
    yield { file: one.file, category: one.category, document }
    if (document.includes.length === 0) continue
    for (const include of document.includes.toReversed()) {
      const file = project.shelf.find(include)
      if (file) waiting.push(included(file))
      else yield missingInclude(document, include)
    }
  }
}

export function isFor({ requires }: Document, { flags }: Project): boolean {
  return Object.entries(requires).every(([name, wanted]) =>
    meets(wanted, Object.hasOwn(flags, name) ? flags[name] : undefined),
  )
}

function included(file: DocumentFile): Selected {
  const folder = file.path.includes('/') ? file.path.slice(0, file.path.indexOf('/')) : '.'
  return { file, category: { name: folder, dir: folder } }
}

function missingInclude({ path }: Document, include: string): Problem {
  return {
    document: path,
    error_type: 'not_found',
    error: `it includes ${quoted(include)}, which does not exist`,
  }
}

/** One part of an expression: a collection or category, and the patterns said with it. */
interface Part {
  readonly name: string
  readonly patterns?: readonly string[]
}

/**
 * `lang/python+go,docs/api,guidelines`: commas part, the first slash splits, pluses gather.
 * `pattern` is for the parts that carry none: `("lang", "python")` is `("lang/python")`.
 */
export function parseExpression(expression: string, pattern?: string): Part[] {
  if (expression.length > MAX_EXPRESSION) {
    throw invalid(`An expression has at most ${MAX_EXPRESSION} characters: ${quoted(expression)}`)
  }
  const fallback = pattern === undefined || pattern.trim() === '' ? undefined : patternsOf(pattern)
  const parts = splitOutsideBraces(expression, ',').map((part) => partOf(part, fallback))
  if (parts.length === 0)
    throw invalid('The expression is empty; name a category or collection, such as lang/python')
  if (parts.length > MAX_PARTS) throw invalid(`An expression has at most ${MAX_PARTS} parts`)
  return parts
}

export function formatPart({ name, patterns }: Part): string {
  return patterns ? `${name}/${patterns.join('+')}` : name
}

function partOf(text: string, fallback: readonly string[] | undefined): Part {
  const slash = text.indexOf('/')
  const name = (slash < 0 ? text : text.slice(0, slash)).trim()
  if (!isName(name))
    throw invalid(`Not the name of a category or collection: ${quoted(name)}`, 'invalid_name')
  const patterns = slash < 0 ? [] : patternsOf(text.slice(slash + 1))
  return patterns.length > 0 ? { name, patterns } : { name, patterns: fallback }
}

function patternsOf(text: string): string[] {
  const patterns = splitOutsideBraces(text, '+')
  if (patterns.length > MAX_PARTS) throw invalid(`At most ${MAX_PARTS} patterns go with one name`)
  return patterns.map(requirePattern)
}

function splitOutsideBraces(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '{') depth++
    if (letter === '}' && depth > 0) depth--
    if (letter === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function invalid(message: string, errorType: FailureKind = 'invalid_expression'): Failure {
  return new Failure(errorType, message, { instruction: ASK })
}

interface Rule {
  readonly uri: string
  readonly title: string
  readonly line: string
}

export interface RulesInForce {
  readonly rules: readonly Rule[]
  readonly total: number
}

/** What an agent has to obey here. Documents that are only information are left out. */
export function rulesInForce(project: Project, limit = 20): RulesInForce {
  const rules = chosenDocuments(project)
    .filter(({ document }) => document.type === 'agent/instruction')
    .map(ruleOf)
  return { rules: rules.slice(0, limit), total: rules.length }
}

/**
 * The documents that somebody wrote or chose for this project: its own, the person's own, those of stored categories, and those that fit it
 * once somebody chose a profile or stored the collection. The starter documents are a library: none of them is a rule by itself. What a
 * space shares is read by whoever asks for it and steers nobody's agent.
 */
export function chosenDocuments(project: Project): Found[] {
  const own: Selected[] = [...project.categories.values()].flatMap((category) =>
    inCategory(category, category.patterns, project).filter(
      ({ file }) =>
        file.layer === 'project' ||
        file.layer === 'user' ||
        (!category.isDefault && file.layer !== 'space'),
    ),
  )
  const collection = project.collections.get(PROJECT_COLLECTION)
  const isChosen = collection && (!collection.isDefault || project.profiles.length > 0)
  const fitting = isChosen ? select(parseExpression(PROJECT_COLLECTION), project).selected : []
  return [...gather([...own, ...fitting], project, project.shelf.read)].filter(
    (found): found is Found => !isProblem(found),
  )
}

function ruleOf({ document, ...selected }: Found): Rule {
  return {
    uri: uriOf(selected),
    title: document.title,
    line: (document.description ?? '').slice(0, MAX_LINE),
  }
}
