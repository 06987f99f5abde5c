// Bundles the extension into one file that VS Code loads.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const home = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

await build({
  entryPoints: [home('src/extension.ts')],
  outfile: home('dist/extension.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', 'rate-limiter-flexible'],
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  logLevel: 'warning',
})
