import { realpath } from 'node:fs/promises'
import { extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import { pathFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { readProjectFile } from '../files/file-reader.ts'
import { findStatements } from './find-statements.ts'
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

const MOST_REMEMBERED = 500

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

const MOST_DEPENDENCIES = 50
/** Names that are looked up; no file that people write imports more. */
const MOST_IMPORTS = 500
const MOST_CHARACTERS = 400_000

/** The project's own files that a file imports, with their contents; what comes from packages is left out. */
export async function dependenciesOf(
  root: string,
  source: SourceFile,
  signal: AbortSignal,
): Promise<{ dependencies: Dependency[]; left: number }> {
  const imports = await importsOf(root, source)
  const found = await resolveAll(await realpath(root), source, imports, signal)
  const shown = [...found].slice(0, MOST_DEPENDENCIES)
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
    if (names.size === MOST_IMPORTS) break
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
  let left = MOST_CHARACTERS
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
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
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
