import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { installLines } from '../../scripts/packaging/install-lines.ts'
import { packageFacts } from '../../scripts/packaging/package-facts.ts'
import { pluginArchives } from '../../scripts/release/plugin-archives.mjs'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const facts = packageFacts(manifest, [])

/** What a person types once the repository is published. */
export const publishedLines = installLines(facts)

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@localhost', ...args], {
    cwd,
    encoding: 'utf8',
  })

/**
 * As if this checkout were published on GitHub: whoever has this home clones it from this machine, and programs of Node find
 * its release, made as it would be made. Gives the variables that they need for the latter.
 */
export function publishFor(home: string): Record<string, string> {
  const folder = temporaryFolder()
  const repository = join(folder, 'repository')
  checkOutInto(repository)
  git(repository, 'init', '-q', '-b', 'main')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-qm', 'As it is here')
  const address = `https://github.com/${facts.repository}`
  appendFileSync(
    join(home, '.gitconfig'),
    `[url "file://${repository}"]\n\tinsteadOf = ${address}.git\n\tinsteadOf = ${address}\n`,
  )
  const assets = pluginArchives(root, folder, manifest).map((file) => ({
    name: file.slice(folder.length + 1),
    url: `https://api.github.com${file}`,
  }))
  const release = join(folder, 'release.json')
  writeFileSync(release, JSON.stringify({ tag_name: `v${manifest.version}`, assets }))
  const answers = join(folder, 'github.mjs')
  writeFileSync(answers, answering(release))
  return { NODE_OPTIONS: `--import=${answers}` }
}

/** What a clone of this checkout holds, with what is changed here. */
export function checkOutInto(folder: string): void {
  for (const path of git(root, 'ls-files', '-z').split('\0').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
}

/** GitHub's API, as far as a release is asked for. */
const answering = (release: string) => `import { createReadStream } from 'node:fs'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const get = https.get
https.get = (url, options, done) => {
  const { hostname, pathname } = new URL(url)
  if (hostname !== 'api.github.com') return get(url, options, done)
  const file = pathname.endsWith('/releases/latest') ? ${JSON.stringify(release)} : pathname
  done(Object.assign(createReadStream(file), { statusCode: 200, headers: {} }))
  return { on() { return this } }
}
syncBuiltinESMExports()
`
