import { posix } from 'node:path'
import { folderWith, type LanguageImports, type ProjectTree, under } from '../language-imports.ts'

const CONFIGURATIONS = ['tsconfig.json', 'jsconfig.json']
const MAX_CHAIN = 5

/** Where the packages of one repository are kept. */
const WORKSPACES = ['packages', 'apps', 'libs', 'services', 'modules', 'tools', 'examples', '']
const MAX_PACKAGES = 300

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

/** A package of the same workspace by its name, or what the importing package calls `#name`. */
async function packagePaths(specifier: string, file: string, tree: ProjectTree): Promise<string[]> {
  if (specifier.startsWith('#')) {
    const folder = await folderWith(tree, file, ['package.json'])
    if (folder === undefined) return []
    const { imports } = await manifestOf(folder, tree)
    return targetsOf(imports, specifier).map((path) => posix.join(folder, path))
  }
  const [name, rest] = nameOf(specifier)
  const folder = await folderOfPackage(name, tree)
  if (folder === undefined) return []
  const { exports, module, main, types } = await manifestOf(folder, tree)
  const entries = rest === '' ? [module, main, types, 'src/index', 'index'] : [rest, `src/${rest}`]
  const key = rest === '' ? '.' : `./${rest}`
  return [...targetsOf(exports, key), ...entries]
    .filter((path) => typeof path === 'string')
    .map((path) => posix.join(folder, path))
}

function nameOf(specifier: string): [name: string, rest: string] {
  const parts = specifier.split('/')
  const count = specifier.startsWith('@') ? 2 : 1
  return [parts.slice(0, count).join('/'), parts.slice(count).join('/')]
}

async function folderOfPackage(name: string, tree: ProjectTree): Promise<string | undefined> {
  let looked = 0
  for (const workspace of WORKSPACES) {
    for (const inner of await tree.foldersIn(workspace)) {
      if (++looked > MAX_PACKAGES) return undefined
      const folder = under(workspace, inner)
      if ((await manifestOf(folder, tree)).name === name) return folder
    }
  }
  return undefined
}

async function manifestOf(folder: string, tree: ProjectTree): Promise<Record<string, unknown>> {
  return parseLooseJson(await tree.text(under(folder, 'package.json')))
}

/** The files that an exports or imports map gives for a key, whatever the condition: those that are there count. */
function targetsOf(map: unknown, key: string): string[] {
  if (typeof map === 'string') return key === '.' ? [map] : []
  if (map === null || typeof map !== 'object') return []
  const entries = Object.entries(map)
  if (!entries.some(([name]) => /^[.#]/.test(name))) return key === '.' ? textsIn(map, 0) : []
  return entries.flatMap(([pattern, target]) => {
    const rest = restOf(pattern, key)
    return rest === undefined ? [] : textsIn(target, 0).map((path) => path.replace('*', rest))
  })
}

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object' || depth > 5) return []
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1))
}

interface Aliases {
  readonly folder: string
  readonly baseUrl?: string
  readonly paths?: Readonly<Record<string, unknown>>
}

/** What `paths` and `baseUrl` of the nearest tsconfig make of a specifier. */
async function aliasedPaths(specifier: string, file: string, tree: ProjectTree): Promise<string[]> {
  const folder = await folderWith(tree, file, CONFIGURATIONS)
  if (folder === undefined) return []
  const name = CONFIGURATIONS.map((one) => under(folder, one))
  const [found] = await tree.firstFile(name)
  const { folder: from, baseUrl, paths } = await readAliases(found ?? '', tree, 0)
  const base = posix.join(from, baseUrl ?? '.')
  const mapped = Object.entries(paths ?? {}).flatMap(([pattern, targets]) => {
    const rest = restOf(pattern, specifier)
    if (rest === undefined || !Array.isArray(targets)) return []
    return targets.map((target) => posix.join(base, String(target).replace('*', rest)))
  })
  return baseUrl === undefined ? mapped : [...mapped, posix.join(base, specifier)]
}

/** Where it says nothing itself, the one that it extends does. */
async function readAliases(path: string, tree: ProjectTree, depth: number): Promise<Aliases> {
  const folder = posix.dirname(path)
  const { compilerOptions, extends: other } = parseLooseJson(await tree.text(path))
  const { baseUrl, paths } = (compilerOptions ?? {}) as Record<string, unknown>
  if (baseUrl !== undefined || paths !== undefined || depth >= MAX_CHAIN)
    return {
      folder,
      ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
      ...(paths !== null && typeof paths === 'object' ? { paths: { ...paths } } : {}),
    }
  if (typeof other !== 'string' || !other.startsWith('.')) return { folder }
  const next = posix.join(folder, other)
  return readAliases(next.endsWith('.json') ? next : `${next}.json`, tree, depth + 1)
}

/** What stands for the star of a pattern; undefined where the name does not fit. */
function restOf(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === name ? '' : undefined
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const fits =
    name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
  return fits ? name.slice(head.length, name.length - tail.length) : undefined
}

/** An object from JSON with comments and trailing commas, as tsconfig files have them; empty where it is none. */
export function parseLooseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(strict(text))
    return value !== null && typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Strings are kept as they are; what is between them loses comments and commas before a bracket. A string or comment without an end
 * takes the rest, so that nothing is read twice.
 */
function strict(text: string): string {
  const tokens = text.match(
    /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|[^"/]+|\//g,
  )
  return (tokens ?? [])
    .filter((token) => !token.startsWith('//') && !token.startsWith('/*'))
    .join('')
    .replace(/,(?=[ \t\r\n]{0,200}[}\]])/g, '')
}
