import { posix } from 'node:path'
import { parseLooseJson } from './loose-json.ts'
import { folderWith, type ProjectTree, under } from './project-tree.ts'

const CONFIGURATIONS = ['tsconfig.json', 'jsconfig.json']
const LONGEST_CHAIN = 5

interface Aliases {
  readonly folder: string
  readonly baseUrl?: string
  readonly paths?: Readonly<Record<string, unknown>>
}

/** What `paths` and `baseUrl` of the nearest tsconfig make of a specifier. */
export async function aliasedPaths(
  specifier: string,
  file: string,
  tree: ProjectTree,
): Promise<string[]> {
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
  if (baseUrl !== undefined || paths !== undefined || depth >= LONGEST_CHAIN)
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
export function restOf(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === name ? '' : undefined
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const fits =
    name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
  return fits ? name.slice(head.length, name.length - tail.length) : undefined
}
