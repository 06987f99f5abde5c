import { posix } from 'node:path'
import { parseLooseJson } from './loose-json.ts'
import { folderWith, type ProjectTree, under } from './project-tree.ts'
import { restOf } from './script-aliases.ts'

/** Where the packages of one repository are kept. */
const WORKSPACES = ['packages', 'apps', 'libs', 'services', 'modules', 'tools', 'examples', '']
const MOST_PACKAGES = 300

/** A package of the same workspace by its name, or what the importing package calls `#name`. */
export async function packagePaths(
  specifier: string,
  file: string,
  tree: ProjectTree,
): Promise<string[]> {
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
      if (++looked > MOST_PACKAGES) return undefined
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
