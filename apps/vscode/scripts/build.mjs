// Bundles the extension: one small file that VS Code loads at activation, and parts for what comes with the first use.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const home = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

rmSync(home('dist'), { recursive: true, force: true })
await build({
  entryPoints: [home('src/extension.ts')],
  outdir: home('dist'),
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['vscode', 'rate-limiter-flexible'],
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  logLevel: 'warning',
})
