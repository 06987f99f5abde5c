// Bundles the binary and the thread that indexes beside it.
// `--if-changed` keeps a build of the same sources.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { isBuilt, removeStamp, writeStamp } from './build-stamp.mjs'
import { copyGrammars } from './copy-grammars.mjs'
import { runBundled } from './run-bundled.mjs'
import { SERVER_BUNDLE } from './server-bundle.mjs'
import { thirdPartyLicences } from './third-party-licences.mjs'

if (process.argv.includes('--if-changed') && isBuilt()) process.exit()

removeStamp()
rmSync('dist', { recursive: true, force: true })
const server = await build({
  entryPoints: {
    secretary: 'packages/secretary/src/main.ts',
    'index-worker': 'packages/secretary/src/index-worker.ts',
  },
  outdir: 'dist',
  ...SERVER_BUNDLE,
  minifySyntax: true,
  minifyWhitespace: true,
})
chmodSync('dist/secretary.js', 0o755)
const page = await buildPage('dist/page')
copyGrammars('dist/grammars')
writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  thirdPartyLicences([server.metafile, ...page], ['@vscode/tree-sitter-wasm']),
)

const { snapshot, costs } = await runBundled(
  'scripts/catalogue-snapshot.ts',
  ({ catalogueSnapshot }) => catalogueSnapshot(),
)
writeFileSync('dist/catalogue.json', JSON.stringify(snapshot))
writeFileSync('dist/token-costs.json', JSON.stringify(costs))
writeStamp()
