// What the packages import of each other and of the registry, and how long their files are. `npm run map` prints it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SCOPE = '@secretary-mcp/'
// A statement begins its line; the names it imports hold no quotes.
const STATIC = /^(?:import|export)\b(?:[^'";]*\bfrom)?\s*'([^'\n]+)'/gm
const DYNAMIC = /\bimport\(\s*'([^'\n]+)'/g

/** The sources of the packages without their tests, each with what it imports. */
export function readSources() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'packages'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const paths = listed
    .split('\n')
    .filter((path) => /\.ts$/.test(path) && !/\.(?:test|d)\.ts$/.test(path))
    .filter((path) => existsSync(join(ROOT, path)))
  const known = new Set(paths)
  return paths.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const specifiers = [STATIC, DYNAMIC].flatMap((form) =>
      [...text.matchAll(form)].map(([, specifier]) => specifier),
    )
    const files = specifiers.flatMap((specifier) => {
      const file = fileOf(path, specifier)
      return file !== undefined && known.has(file) ? [file] : []
    })
    const vendors = specifiers.flatMap((specifier) => vendorOf(specifier) ?? [])
    return { path, package: packageOf(path), lines: text.split('\n').length - 1, files, vendors }
  })
}

export function packageOf(path) {
  return path.split('/')[1]
}

function fileOf(from, specifier) {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  if (!specifier.startsWith(SCOPE)) return undefined
  const [name, ...rest] = specifier.slice(SCOPE.length).split('/')
  return `packages/${name}/src/${rest.join('/')}`
}

/** The package of the registry that a specifier names. */
function vendorOf(specifier) {
  if (/^(?:\.|node:)/.test(specifier) || specifier.startsWith(SCOPE)) return undefined
  const parts = specifier.split('/')
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
  return builtinModules.includes(name) ? undefined : name
}

/** Groups of sibling folders that import each other in a circle. A folder and what lies inside it are one. */
export function findCycles(sources) {
  const imports = new Map()
  for (const { path, files } of sources) {
    for (const file of files) {
      const [from, to] = [dirname(path).split('/'), dirname(file).split('/')]
      const fork = from.findIndex((name, depth) => name !== to[depth])
      if (fork < 0 || fork >= to.length) continue
      const parent = from.slice(0, fork).join('/')
      const siblings = imports.get(parent) ?? new Map()
      imports.set(parent, siblings)
      siblings.set(from[fork], (siblings.get(from[fork]) ?? new Set()).add(to[fork]))
    }
  }
  return [...imports].flatMap(([parent, siblings]) => {
    const reached = (start) => {
      const seen = new Set()
      const waiting = [...(siblings.get(start) ?? [])]
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        if (seen.has(name)) continue
        seen.add(name)
        waiting.push(...(siblings.get(name) ?? []))
      }
      return seen
    }
    const circular = [...siblings.keys()].filter((name) => reached(name).has(name)).sort()
    return circular.length > 0 ? [`${parent}: ${circular.join(', ')}`] : []
  })
}

function describe(name, sources, importers) {
  const lines = sources.map((source) => source.lines).sort((one, other) => one - other)
  const single = sources.filter(({ path }) => importers.get(path)?.size === 1).length
  const total = lines.reduce((sum, count) => sum + count, 0)
  return [name, sources.length, total, lines[lines.length >> 1] ?? 0, single]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = readSources()
  const importers = new Map()
  for (const { path, files } of sources)
    for (const file of files) importers.set(file, (importers.get(file) ?? new Set()).add(path))
  const names = [...new Set(sources.map((source) => source.package))]
  const rows = [
    ['package', 'files', 'lines', 'median', 'one importer'],
    ...names.map((name) =>
      describe(
        name,
        sources.filter((source) => source.package === name),
        importers,
      ),
    ),
    describe('all', sources, importers),
  ]
  for (const [name, ...figures] of rows)
    console.log(name.padEnd(14) + figures.map((figure) => String(figure).padStart(14)).join(''))
  const cycles = findCycles(sources)
  console.log(cycles.length > 0 ? `cycles\n  ${cycles.join('\n  ')}` : 'no cycles between folders')
}
