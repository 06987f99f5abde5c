// Bundles the extension: one small file that VS Code loads at activation, and parts for what comes with the first use.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const home = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

rmSync(home('dist'), { recursive: true, force: true })
const { outputFiles } = await build({
  entryPoints: [home('src/extension.ts')],
  outdir: home('dist'),
  write: false,
  bundle: true,
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // The editor keeps no deeds: what is asked of them is never loaded here.
  external: [
    'vscode',
    'rate-limiter-flexible',
    '*/why/why.ts',
    '*/why/requests-behind.ts',
    '*/ledger/ledger.ts',
    '*/edit-notes/edit-notes.ts',
    '*/today/today.ts',
    '*/experience/fix.ts',
    '*/experience/how.ts',
    '*/recall/recall.ts',
    '*/search/search-requests.ts',
    '*/deeds/repository.ts',
    '*/keeping/keeping.ts',
    '*/keeping/forget-dialogs.ts',
    '*/work-places.ts',
    '*/deeds/readers/vscode.ts',
  ],
  minify: true,
  keepNames: true,
  legalComments: 'linked',
  logLevel: 'warning',
})
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, path.endsWith('.cjs') ? await asCommonJs(text) : text)
}

/** Only ES modules can be split, but VS Code loads CommonJS in half the time: it is read at once, and `vscode` comes without a detour. */
async function asCommonJs(text) {
  const options = { format: 'cjs', platform: 'node', target: 'node20', minify: true }
  const { code } = await transform(text, { ...options, supported: { 'dynamic-import': false } })
  return code
}
