// Remembers what `dist` was built from. Test commands that run side by side share `dist`, and a build removes it first:
// with this, only the first of them builds.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

const INPUTS = ['package.json', 'package-lock.json', 'packages', 'scripts', 'apps/dashboard']
/** The last file that a build writes. */
const LAST_OUTPUT = 'dist/token-costs.json'
/** Outside `dist`, which is published as it is. */
const STAMP = 'node_modules/.cache/secretary-build'

/** True if `dist` is complete and was built from the sources as they are now. */
export function isBuilt() {
  return (
    existsSync(LAST_OUTPUT) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()
  )
}

/** Called before a build, so that an interrupted one does not look finished. */
export function removeStamp() {
  rmSync(STAMP, { force: true })
}

export function writeStamp() {
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, fingerprint())
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const path of INPUTS.flatMap(filesOf)) {
    hash.update(`${path}\0`)
    hash.update(readFileSync(path))
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`))
}
