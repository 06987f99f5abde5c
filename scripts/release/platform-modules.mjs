import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStep } from './run-step.mjs'

/** Those for which SQLite and ripgrep come ready-made, as the marketplaces name them. */
export const allPlatforms = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'win32-arm64',
  'win32-x64',
]

const folders = new Map()

/** A folder with the packages that the bundle leaves outside, for a platform that need not be this one. */
export function platformModules(root, platform) {
  const known = folders.get(platform)
  if (known) return known
  const folder = mkdtempSync(join(tmpdir(), `secretary-${platform}-`))
  mkdirSync(folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const [os, cpu] = platform.split('-')
  const target = [`--os=${os}`, `--cpu=${cpu}`, ...(os === 'linux' ? ['--libc=glibc'] : [])]
  // Ready-made parts need no script, and one that ran here would make parts for this platform.
  const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  runStep('npm', ['install', ...how, ...target], folder)
  if (!existsSync(join(folder, 'node_modules', '@vscode', `ripgrep-${platform}`)))
    throw new Error(`npm brought no ripgrep for ${platform}`)
  folders.set(platform, folder)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
