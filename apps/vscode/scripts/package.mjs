// Makes the .vsix: the extension, its pictures and the server, laid out in `out/extension` and packed by vsce.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ownPlatform, stageServer } from './stage-server.mjs'

const home = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const stage = join(home, 'out', 'extension')
const {
  values: { target: platform, modules },
} = parseArgs({
  options: {
    target: { type: 'string', default: ownPlatform },
    modules: { type: 'string', default: root },
  },
})
const vsce = join(home, 'node_modules', '@vscode', 'vsce', 'vsce')

rmSync(join(home, 'out'), { recursive: true, force: true })
mkdirSync(stage, { recursive: true })
run('node', [join(home, 'scripts', 'build.mjs')], root)
run('node', [join(root, 'scripts', 'build.mjs'), '--if-changed'], root)
if (!existsSync(vsce)) run('npm', ['ci', '--omit=optional', '--ignore-scripts'], home)

const texts = ['package.nls.json', 'package.nls.ru.json']
for (const path of ['CHANGELOG.md', 'l10n', 'media', 'prompts', 'dist', ...texts])
  cpSync(join(home, path), join(stage, path), { recursive: true })
for (const path of ['LICENSE', 'NOTICE']) cpSync(join(root, path), join(stage, path))
stageReadme()
stageManifest()
stageServer(root, join(stage, 'server'), { platform, modules })
// vsce leaves node_modules out unless the ignore file takes them back in.
writeFileSync(join(stage, '.vscodeignore'), '!server/node_modules/**\n')

const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
const target = join(home, 'out', `${name}-${platform}-${version}.vsix`)
run(
  'node',
  [
    vsce,
    'package',
    '--no-dependencies',
    '--target',
    platform,
    '--no-rewrite-relative-links',
    '--out',
    target,
  ],
  stage,
)

/** The walkthrough shows pictures of the package; the page of an installed extension only those that come from the web. */
function stageReadme() {
  const manifest = readFileSync(join(home, 'package.json'), 'utf8')
  for (const [, file] of manifest.matchAll(/"pictures\/([\w-]+\.png)"/g))
    cpSync(join(root, 'docs', 'pictures', file), join(stage, 'pictures', file))
  const repository = JSON.parse(manifest).repository.url.replace(/\.git$/, '')
  const text = readFileSync(join(home, 'README.md'), 'utf8')
  const page = text.replaceAll('../../docs/pictures/', `${repository}/raw/HEAD/docs/pictures/`)
  writeFileSync(join(stage, 'README.md'), page)
}

/** What only the build needs stays here. */
function stageManifest() {
  const {
    scripts: _scripts,
    devDependencies: _dev,
    allowScripts: _allow,
    private: _private,
    ...manifest
  } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest, null, 2))
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw error ?? new Error(`${command} ${args[0]} ended with ${status}`)
}
