// Writes every generated file of the repository anew.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = process.cwd()
const bundle = join(root, 'dist', `generate-${process.pid}.mjs`)
await build({
  entryPoints: ['scripts/generated-files.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
try {
  const { generatedFiles } = await import(pathToFileURL(bundle).href)
  for (const [path, text] of await generatedFiles(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`written ${path}`)
  }
} finally {
  rmSync(bundle, { force: true })
}
