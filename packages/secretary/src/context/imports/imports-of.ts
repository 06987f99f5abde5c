import { extname } from 'node:path'
import { pathFailure } from '@secretary-mcp/core/files/path-failure.ts'
import { findStatements } from './find-statements.ts'
import { type Import, importType } from './language-imports.ts'
import { languageOfExtension } from './languages.ts'

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly modifiedMs: number
}

const MOST_REMEMBERED = 500
const remembered = new Map<
  string,
  { readonly modifiedMs: number; readonly length: number; readonly imports: readonly Import[] }
>()

/** What a file imports; parsed again only when the file has changed. */
export async function importsOf(
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
