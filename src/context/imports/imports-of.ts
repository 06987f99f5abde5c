import { extname } from 'node:path'
import { findStatements } from './find-statements.ts'
import type { Import } from './language-imports.ts'
import { languageOfExtension } from './languages.ts'
import { SCRIPT_EXTENSIONS, scriptImports } from './script-imports.ts'

interface Source {
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
  { path, text, modifiedMs }: Source,
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
  if (SCRIPT_EXTENSIONS.includes(extension)) return scriptImports(path, text)
  const language = languageOfExtension(extension)
  if (!language) return []
  const statements = await findStatements(language.grammar, language.query, text)
  return statements
    .flatMap((statement) => language.specifiers(statement))
    .map((specifier) => ({ specifier, type: language.type }))
}
