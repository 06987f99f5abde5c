import { realpath } from 'node:fs/promises'
import { extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import { pathFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { installedGrammars, parseInTurns } from '@secretary-mcp/search/syntax/grammars.ts'
import type { Language, Node, Query } from 'web-tree-sitter'
import { readProjectFile } from '../files/file-reader.ts'
import {
  createProjectTree,
  type Import,
  importType,
  type LanguageImports,
} from './language-imports.ts'
import { c } from './languages/c.ts'
import { csharp } from './languages/csharp.ts'
import { go } from './languages/go.ts'
import { java } from './languages/java.ts'
import { php } from './languages/php.ts'
import { python } from './languages/python.ts'
import { ruby } from './languages/ruby.ts'
import { rust } from './languages/rust.ts'
import { javascript, tsx, typescript } from './languages/script.ts'

const MAX_STATEMENT = 20_000
/** This runs where every caller is answered, so nobody may wait long for somebody else's file. */
const MAX_SEARCH_MS = 80
const PART = 65_536
/** People nest a tenth of it; on the way down the search cannot be stopped. */
const DEEPEST = 500
/** Far more than are looked up. */
const MAX_STATEMENTS = 2_000
const MAX_SENSELESS_NODES = 20_000
/** Among which an error is looked for: some texts are all depth. */
const MAX_NODES = 5_000

const MAX_REMEMBERED = 500

export interface Dependency {
  readonly path: string
  readonly type: Import['type']
  readonly level: 1
  readonly content?: string
  /** Why there is no content, and how to get it. */
  readonly omitted?: string
}

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly modifiedMs: number
}

const MAX_DEPENDENCIES = 50
/** Names that are looked up; no file that people write imports more. */
const MAX_IMPORTS = 500
const MAX_CHARACTERS = 400_000

/** The project's own files that a file imports, with their contents; what comes from packages is left out. */
export async function dependenciesOf(
  root: string,
  source: SourceFile,
  signal: AbortSignal,
): Promise<{ dependencies: Dependency[]; left: number }> {
  const imports = await importsOf(root, source)
  const found = await resolveAll(await realpath(root), source, imports, signal)
  const shown = [...found].slice(0, MAX_DEPENDENCIES)
  const read = await Promise.all(shown.map(([path, type]) => withContent(root, path, type, signal)))
  return { dependencies: bounded(read), left: found.size - shown.length }
}

async function resolveAll(
  root: string,
  source: SourceFile,
  imports: readonly Import[],
  signal: AbortSignal,
) {
  const found = new Map<string, Import['type']>()
  const resolve = await resolverFor(root, source)
  const names = new Set<string>()
  for (const { specifier, type } of imports) {
    if (names.has(specifier)) continue
    if (names.size === MAX_IMPORTS) break
    names.add(specifier)
    await nextTurn()
    signal.throwIfAborted()
    for (const path of await resolve(specifier)) {
      if (path !== source.path && !found.has(path) && !isNeverShown(path)) found.set(path, type)
    }
  }
  return found
}

async function resolverFor(
  root: string,
  { path, text }: SourceFile,
): Promise<(specifier: string) => Promise<string[]>> {
  const extension = extname(path).toLowerCase()
  const language = languageOfExtension(extension)
  const tree = createProjectTree(root)
  return async (specifier) => language?.resolve(specifier, { file: path, text, tree }) ?? []
}

async function withContent(
  root: string,
  path: string,
  type: Import['type'],
  signal: AbortSignal,
): Promise<Dependency> {
  try {
    const { file } = await readProjectFile(root, path, {}, signal)
    return { path: file.path, type, level: 1, content: file.content }
  } catch (error) {
    // One dependency that is too large, binary or gone must not cost the file that was asked for.
    if (error instanceof Failure) return { path, type, level: 1, omitted: error.message }
    throw error
  }
}

function bounded(dependencies: readonly Dependency[]): Dependency[] {
  let left = MAX_CHARACTERS
  return dependencies.map((dependency) => {
    const { content, ...rest } = dependency
    if (content === undefined) return dependency
    if (content.length > left)
      return { ...rest, omitted: 'The answer would be too long; call read_file for it' }
    left -= content.length
    return dependency
  })
}

const remembered = new Map<
  string,
  { readonly modifiedMs: number; readonly length: number; readonly imports: readonly Import[] }
>()

/** What a file imports; parsed again only when the file has changed. */
async function importsOf(
  root: string,
  { path, text, modifiedMs }: SourceFile,
): Promise<readonly Import[]> {
  const key = `${root}\0${path}`
  const known = remembered.get(key)
  if (known?.modifiedMs === modifiedMs && known.length === text.length) return known.imports
  const imports = await parse(path, text)
  remembered.delete(key)
  remembered.set(key, { modifiedMs, length: text.length, imports })
  const oldest = remembered.keys().next().value
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return imports
}

async function parse(path: string, text: string): Promise<readonly Import[]> {
  const extension = extname(path).toLowerCase()
  const language = languageOfExtension(extension)
  if (!language) return []
  const { statements, errorLine } = await findStatements(language.grammar, language.query, text)
  if (language.reportsErrors && errorLine !== undefined && statements.length === 0)
    throw pathFailure('Failed to parse imports', path, `Syntax error at line ${errorLine}`)
  return statements.flatMap(({ capture, text: statement }) =>
    language
      .specifiers(statement)
      .map((specifier) => ({ specifier, type: importType(capture) ?? language.type })),
  )
}

const byExtension = new Map<string, LanguageImports>(
  [typescript, tsx, javascript, python, go, rust, java, c, ruby, php, csharp].flatMap((language) =>
    language.extensions.map((extension) => [extension, language] as const),
  ),
)

export function languageOfExtension(extension: string): LanguageImports | undefined {
  return byExtension.get(extension)
}

interface Loaded {
  readonly language: Language
  readonly query: Query
}

interface Statement {
  readonly capture: string
  readonly text: string
}

interface Statements {
  readonly statements: readonly Statement[]
  /** From 1; undefined where everything was understood. */
  readonly errorLine?: number
}

const loaded = new Map<string, Promise<Loaded>>()

/** The texts of the statements that a query finds, in order. There is one query for each grammar. */
export async function findStatements(
  grammar: string,
  query: string,
  text: string,
): Promise<Statements> {
  let ready = loaded.get(grammar)
  if (!ready) {
    ready = load(grammar, query)
    loaded.set(grammar, ready)
    ready.catch(() => loaded.delete(grammar))
  }
  const { language, query: compiled } = await ready
  const parser = await installedGrammars().newParser()
  parser.setLanguage(language)
  const tree = await parseInTurns(parser, text)
  parser.delete()
  if (!tree) return { statements: [], errorLine: 1 }
  await nextTurn()
  if (isSenseless(tree.rootNode)) {
    tree.delete()
    return { statements: [], errorLine: 1 }
  }
  try {
    const statements = await search(compiled, tree.rootNode, text)
    return { statements, errorLine: errorLine(tree.rootNode) }
  } finally {
    tree.delete()
  }
}

/** Part by part, so that others get their turn in between. */
async function search(query: Query, root: Node, text: string): Promise<Statement[]> {
  const found: Statement[] = []
  for (let from = 0; from < text.length && found.length < MAX_STATEMENTS; from += PART) {
    const started = performance.now()
    // Typed as if it returned nothing; what it returns decides whether the search goes on.
    const progressCallback = () => performance.now() - started > MAX_SEARCH_MS
    // A range is given in bytes, of which a character has two; places are told in characters.
    const part = { startIndex: 2 * from, endIndex: 2 * (from + PART), maxStartDepth: DEEPEST }
    for (const { name, node } of query.captures(root, { ...part, progressCallback })) {
      const { startIndex, endIndex } = node
      // What reaches over from the part before was found there.
      if (name === 'called' || startIndex < from || endIndex - startIndex > MAX_STATEMENT) continue
      found.push({ capture: name, text: text.slice(startIndex, endIndex) })
    }
    await nextTurn()
  }
  return found.slice(0, MAX_STATEMENTS)
}

/** A long text that is one error: among its parts the search takes steps that cannot be interrupted. */
function isSenseless({ isError, descendantCount }: Node): boolean {
  return isError && descendantCount > MAX_SENSELESS_NODES
}

async function load(grammar: string, source: string): Promise<Loaded> {
  const { Query } = await import('web-tree-sitter')
  const language = await installedGrammars().load(grammar)
  return { language, query: new Query(language, source) }
}

/** Of the first place that the grammar did not understand, as far as it was looked for. */
function errorLine(root: Node): number | undefined {
  if (!root.hasError) return undefined
  const cursor = root.walk()
  let broken = cursor.currentNode
  let node: Node | undefined = broken
  for (let seen = 0; node && seen < MAX_NODES; seen++) {
    if (node.isError || node.isMissing || node.hasError) {
      broken = node
      if (node.isError || node.isMissing || !cursor.gotoFirstChild()) break
    } else if (!cursor.gotoNextSibling()) break
    node = cursor.currentNode
  }
  cursor.delete()
  return broken.startPosition.row + 1
}
