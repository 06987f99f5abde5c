// Bundles the page: one entry, a part for each view, names that hold a hash of their content.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

const SOURCE = 'apps/dashboard'

export async function buildPage(folder) {
  const same = {
    outdir: `${folder}/assets`,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  }
  const page = await build({
    ...same,
    entryPoints: { page: `${SOURCE}/src/main.tsx`, style: `${SOURCE}/src/styles/style.css` },
    format: 'esm',
    splitting: true,
  })
  // Not a module: a module would run after the first paint.
  const theme = await build({
    ...same,
    entryPoints: { theme: `${SOURCE}/src/theme-first.ts` },
    format: 'iife',
  })
  const outputs = Object.entries({ ...page.metafile.outputs, ...theme.metafile.outputs })
  const built = (entry) => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint === `${SOURCE}/src/${entry}`)
    return `%ROOT%assets/${basename(found[0])}`
  }
  mkdirSync(folder, { recursive: true })
  const html = readFileSync(`${SOURCE}/index.html`, 'utf8')
    .replace('%THEME%', built('theme-first.ts'))
    .replace('%SCRIPT%', built('main.tsx'))
    .replace('%STYLE%', built('styles/style.css'))
  writeFileSync(`${folder}/index.html`, html)
  return [page.metafile, theme.metafile]
}
