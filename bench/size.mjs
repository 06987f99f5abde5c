// What an installation takes on the disk: the packed tarball in an empty folder, with its dependencies; and the extension.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAX_MB = 60
const MAX_EXTENSION_MB = 25

export async function size(root) {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-size-'))
  const npm = (cwd, ...args) =>
    execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd, encoding: 'utf8' })
  try {
    const tarball = npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder).trim()
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    npm(folder, 'install', '--ignore-scripts', `./${tarball.split('\n').at(-1)}`)
    const installed = join(folder, 'node_modules')
    const parts = packages(installed)
      .map(([name, path]) => [name, bytesBelow(path)])
      .sort(([, a], [, b]) => b - a)
    const extension = join(root, 'apps', 'vscode', 'out', 'extension')
    execFileSync('node', [join(root, 'apps', 'vscode', 'scripts', 'package.mjs')], {
      stdio: 'pipe',
    })
    return {
      title: 'Installed size',
      header: ['package', 'MB'],
      rows: [
        [`all (at most ${MAX_MB})`, megabytes(bytesBelow(installed))],
        ...parts.slice(0, 8).map(([name, bytes]) => [name, megabytes(bytes)]),
        [`the VS Code extension (at most ${MAX_EXTENSION_MB})`, megabytes(bytesBelow(extension))],
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function packages(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (name.startsWith('.')) return []
    return name.startsWith('@')
      ? readdirSync(path).map((inner) => [`${name}/${inner}`, join(path, inner)])
      : [[name, path]]
  })
}

function bytesBelow(path) {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.size
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0)
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1)
