// Puts the built server beside the extension, with the packages that its bundle leaves outside.
// Some of them are programs for one platform: the package is for one platform, by default the one it is made on.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sources of native code and type declarations are of no use at run time. */
const LEFT_OUT =
  /[\\/](src|test|docs|deps|scripts|debug|node_modules)$|\.(d\.[cm]?ts|map|md|gyp|cc|c|h)$/

const LICENCE = /[\\/](licen[cs]e|copying|notice)[^\\/]*$/i

/** The marketplace has a platform of its own for Alpine, which we do not build for. */
const FOR_ALPINE = /\.musl\.node$/

/** As the marketplace names platforms. */
export const ownPlatform = `${process.platform}-${process.arch}`

/** `modules` is a folder in which the packages of that platform are installed. */
export function stageServer(root, target, { platform = ownPlatform, modules = root } = {}) {
  const { files, dependencies } = readJson(join(root, 'package.json'))
  for (const path of ['package.json', 'LICENSE', ...files]) {
    if (existsSync(join(root, path)))
      cpSync(join(root, path), join(target, path), {
        recursive: true,
        filter: (from) => !/\.map$/.test(from),
      })
  }
  const bundled = scripts(join(target, 'dist'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  for (const name of Object.keys(dependencies)) {
    if (isImported(name, bundled)) stagePackage(modules, target, name, platform)
  }
}

function isImported(name, code) {
  const escaped = name.replace(/[/\-.]/g, '\\$&')
  return new RegExp(`(from|import|require|resolve)\\s*\\(?\\s*["']${escaped}(/[^"']*)?["']`).test(
    code,
  )
}

function stagePackage(modules, target, name, platform) {
  const from = join(modules, 'node_modules', name)
  const to = join(target, 'node_modules', name)
  if (existsSync(to) || !existsSync(from)) return
  cpSync(from, to, { recursive: true, filter: (path) => path === from || isUsed(path, platform) })
  const { dependencies = {}, optionalDependencies = {} } = readJson(join(from, 'package.json'))
  for (const inner of Object.keys({ ...dependencies, ...optionalDependencies }))
    stagePackage(modules, target, inner, platform)
}

function isUsed(path, platform) {
  const prebuilt = /[\\/]prebuilds[\\/]([\w-]+)$/.exec(path)?.[1]
  if (prebuilt !== undefined) return prebuilt === platform
  return LICENCE.test(path) || !(LEFT_OUT.test(path) || FOR_ALPINE.test(path))
}

function scripts(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
