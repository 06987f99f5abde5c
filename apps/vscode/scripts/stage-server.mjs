// Puts the built server beside the extension, with the packages that its bundle leaves outside.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sources of native code and type declarations are of no use at run time. */
const LEFT_OUT = /[\\/](src|test|docs|deps|scripts|node_modules)$|\.(d\.[cm]?ts|map|md|gyp|cc|c|h)$/

export function stageServer(root, target) {
  const { files, dependencies } = readJson(join(root, 'package.json'))
  for (const path of ['package.json', 'LICENSE', ...files]) {
    if (existsSync(join(root, path)))
      cpSync(join(root, path), join(target, path), { recursive: true, filter: (from) => !/\.map$/.test(from) })
  }
  const bundled = scripts(join(target, 'dist'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  for (const name of Object.keys(dependencies)) {
    if (isImported(name, bundled)) stagePackage(root, target, name)
  }
}

function isImported(name, code) {
  const escaped = name.replace(/[/\-.]/g, '\\$&')
  return new RegExp(`(from|import|require|import\\(|require\\()\\s*["']${escaped}(/[^"']*)?["']`).test(code)
}

function stagePackage(root, target, name) {
  const from = join(root, 'node_modules', name)
  const to = join(target, 'node_modules', name)
  if (existsSync(to) || !existsSync(from)) return
  cpSync(from, to, { recursive: true, filter: (path) => path === from || !LEFT_OUT.test(path) })
  const { dependencies = {}, optionalDependencies = {} } = readJson(join(from, 'package.json'))
  for (const inner of Object.keys({ ...dependencies, ...optionalDependencies })) stagePackage(root, target, inner)
}

function scripts(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
