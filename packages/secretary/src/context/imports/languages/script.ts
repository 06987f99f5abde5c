import { posix } from 'node:path'
import type { LanguageImports } from '../language-imports.ts'
import type { ProjectTree } from '../project-tree.ts'
import { aliasedPaths } from '../script-aliases.ts'
import { packagePaths } from '../script-packages.ts'

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.json']
/** TypeScript is imported under the name that it will have once it is compiled. */
const COMPILED_FROM: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
}

const QUERY = `
(import_statement source: (string) @import)
(export_statement source: (string) @export)
(call_expression function: (import) arguments: (arguments . (string) @dynamic))
(call_expression function: (identifier) @called arguments: (arguments . (string) @require)
  (#eq? @called "require"))`
const TYPED_QUERY = `${QUERY}\n(import_require_clause source: (string) @require)`

const script = (grammar: string, extensions: string[], query: string): LanguageImports => ({
  extensions,
  grammar,
  query,
  type: 'import',
  reportsErrors: true,
  specifiers: (text) => [text.slice(1, -1)].filter((name) => /^[^'"`$\\\s]+$/.test(name)),
  async resolve(specifier, { file, tree }) {
    for (const path of await placesOf(specifier, file, tree)) {
      const found = await tree.firstFile(spellingsOf(path))
      if (found.length > 0) return found
    }
    return []
  },
})

export const typescript = script('typescript', ['.ts', '.mts', '.cts'], TYPED_QUERY)
export const tsx = script('tsx', ['.tsx'], TYPED_QUERY)
export const javascript = script('javascript', ['.js', '.jsx', '.mjs', '.cjs'], QUERY)

/** Where a specifier may lead within the project, in order. */
async function placesOf(specifier: string, file: string, tree: ProjectTree): Promise<string[]> {
  if (/^\.{1,2}(\/|$)/.test(specifier)) return [posix.join(posix.dirname(file), specifier)]
  if (specifier.startsWith('/') || specifier.startsWith('node:')) return []
  return [
    ...(await aliasedPaths(specifier, file, tree)),
    ...(await packagePaths(specifier, file, tree)),
  ]
}

function spellingsOf(path: string): string[] {
  const extension = posix.extname(path)
  const stem = path.slice(0, path.length - extension.length)
  return [
    ...(COMPILED_FROM[extension] ?? []).map((source) => stem + source),
    path,
    ...EXTENSIONS.map((source) => path + source),
    ...EXTENSIONS.map((source) => posix.join(path, `index${source}`)),
  ]
}
