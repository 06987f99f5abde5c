// Bundles the binary and the thread that indexes beside it, with everything they need: only packages with native parts stay outside.
// `--if-changed` keeps a build of the same sources.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { isBuilt, removeStamp, writeStamp } from './build-stamp.mjs'
import { copyGrammars } from './copy-grammars.mjs'
import { runBundled } from './run-bundled.mjs'
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
  bundle: true,
  splitting: true,
  inject: ['scripts/start-path.ts'],
  chunkNames: 'parts/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  // Its main file asks for its parts by names that no bundler can see.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: ['@photostructure/sqlite', 'pg-native', '@vscode/ripgrep'],
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
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
