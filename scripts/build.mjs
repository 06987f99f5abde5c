// Bundles the binary and the thread that indexes beside it; native and rarely used packages stay outside.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { runBundled } from './run-bundled.mjs'

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: { secretary: 'src/main.ts', 'index-worker': 'src/index-worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  external: [
    '@photostructure/sqlite',
    'pg-native',
    'gpt-tokenizer',
    // CommonJS behind an import() loses its named exports when it is bundled into parts.
    'rate-limiter-flexible',
    '@vscode/ripgrep',
    'oxc-parser',
    'oxc-resolver',
    'web-tree-sitter',
  ],
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
})
chmodSync('dist/secretary.js', 0o755)
await buildPage('dist/page')

// What tools/list answers before any tool is loaded.
writeFileSync(
  'dist/catalogue.json',
  JSON.stringify(
    await runBundled('scripts/catalogue-snapshot.ts', ({ catalogueSnapshot }) =>
      catalogueSnapshot(),
    ),
  ),
)
