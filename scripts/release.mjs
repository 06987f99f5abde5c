// Makes everything that a release publishes into `release/`, with checksums, and says what to do with it. It publishes nothing.
// `--only npm,plugins,mcpb,vscode` makes some of it, `--platforms linux-x64,…` for some platforms.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { desktopBundle } from './release/desktop-bundle.mjs'
import { editorExtension } from './release/editor-extension.mjs'
import { packageTarball } from './release/package-tarball.mjs'
import { allPlatforms } from './release/platform-modules.mjs'
import { pluginArchives } from './release/plugin-archives.mjs'
import { writeChecksums } from './release/write-checksums.mjs'

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    only: { type: 'string', default: 'npm,plugins,mcpb,vscode' },
    platforms: { type: 'string', default: allPlatforms.join(',') },
    out: { type: 'string', default: 'release' },
  },
})
if (!values['dry-run']) {
  console.error('Nothing is published from here. Run `npm run release -- --dry-run`.')
  process.exit(2)
}
const root = process.cwd()
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const out = resolve(root, values.out)
const wants = new Set(values.only.split(','))
const platforms = values.platforms.split(',')
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const made = []
if (wants.has('npm')) made.push(packageTarball(root, out))
if (wants.has('plugins')) made.push(...pluginArchives(root, out, manifest))
for (const platform of platforms) {
  if (wants.has('mcpb')) made.push(desktopBundle(root, out, manifest, platform))
  if (wants.has('vscode')) made.push(editorExtension(root, out, platform))
}
for (const line of writeChecksums(out, made)) console.log(line)

const files = made.map((path) => basename(path))
const { name, version, mcpName } = manifest
console.log(`
A release of ${name} ${version} would
- publish the package: npm publish ${files.find((file) => file.endsWith('.tgz')) ?? '(not made)'}
- list ${mcpName} in the MCP registry: mcp-publisher publish (server.json)
- tag v${version} and attach ${files.length} files and SHA256SUMS: gh release create v${version}
- upload ${files.filter((file) => file.endsWith('.vsix')).length} extensions: vsce publish, ovsx publish
The plugins are read from the repository itself, once it is pushed.`)
