// Bundles the extension: one small file that VS Code loads at activation, and parts for what comes with the first use.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { thirdPartyLicences } from '../../../scripts/third-party-licences.mjs'

const home = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

rmSync(home('dist'), { recursive: true, force: true })
const { outputFiles, metafile } = await build({
  entryPoints: [home('src/extension.ts')],
  outdir: home('dist'),
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['vscode', 'rate-limiter-flexible'],
  plugins: [withoutDeeds()],
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  logLevel: 'warning',
})
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, path.endsWith('.cjs') ? await asCommonJs(text) : text)
}

writeFileSync(home('dist/THIRD-PARTY-LICENSES.txt'), thirdPartyLicences([metafile]))

/** The editor keeps no deeds: what the dialogs load only when somebody asks for those is never loaded here. */
function withoutDeeds() {
  return {
    name: 'without-deeds',
    setup({ onResolve }) {
      onResolve({ filter: /^(?:\.|@secretary-mcp\/)/ }, ({ kind, importer }) =>
        kind === 'dynamic-import' &&
        /[\\/](?:src[\\/]dialogs|transcripts[\\/]src)[\\/]/.test(importer)
          ? { external: true }
          : undefined,
      )
    },
  }
}

/** Only ES modules can be split, but VS Code loads CommonJS in half the time: it is read at once, and `vscode` comes without a detour. */
async function asCommonJs(text) {
  const options = { format: 'cjs', platform: 'node', target: 'node20', minify: true }
  const { code } = await transform(text, { ...options, supported: { 'dynamic-import': false } })
  return code
}
