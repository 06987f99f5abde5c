import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../tools', import.meta.url))
/** npm writes this file last, so an interrupted installation has none. */
const installed = join(folder, 'node_modules/.package-lock.json')
const wanted = join(folder, 'package-lock.json')

/** A program that others wrote, with the Node that it needs; all come from the registry. */
export const foreignTool = (name: string) => join(folder, 'node_modules', '.bin', name)

/** Installs them once, before any test: two tests that install at the same time remove each other's files. */
export default function installForeignTools(): void {
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
