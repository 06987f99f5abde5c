// Runs a TypeScript module of the repository: bundles it beside the build and imports it.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { onlyOurs } from './only-ours.mjs'

export async function runBundled(entry, use) {
  const outfile = join(process.cwd(), 'dist', `.bundled-${process.pid}-${Date.now()}.mjs`)
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [onlyOurs()],
    logLevel: 'warning',
  })
  try {
    return await use(await import(pathToFileURL(outfile).href))
  } finally {
    rmSync(outfile, { force: true })
  }
}
