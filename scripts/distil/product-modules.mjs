// The product's own chunker and tokenizer, bundled for the distillation: the table must see text as the product does.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function productModules() {
  const outfile = join(mkdtempSync(join(tmpdir(), 'distil-')), 'modules.mjs')
  const contents = [
    "export { createChunker } from '@secretary-mcp/search/chunks/chunker.ts'",
    "export { grammarFiles } from '@secretary-mcp/search/syntax/grammar-files.ts'",
    "export { createWordPieces } from '@secretary-mcp/search/embedder/word-pieces.ts'",
    "export { identifiersIn, splitIdentifier } from '@secretary-mcp/search/text/index-terms.ts'",
  ]
  const banner = `import { createRequire as __require } from 'node:module'; const require = __require(${JSON.stringify(pathToFileURL(join(root, 'package.json')).href)});`
  await build({
    stdin: { contents: contents.join('\n'), resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: { js: banner },
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'package.json')).href) },
  })
  return import(pathToFileURL(outfile).href)
}
