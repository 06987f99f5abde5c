// The parser and its grammars, compressed: their tables shrink to a seventh, and one is unpacked in a few milliseconds.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const { resolve } = createRequire(import.meta.url)

export function copyGrammars(folder) {
  const source = join(dirname(resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm')
  mkdirSync(folder, { recursive: true })
  const pack = (from, name) =>
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(from), { level: 9 }))
  pack(resolve('web-tree-sitter/web-tree-sitter.wasm'), 'web-tree-sitter.wasm')
  for (const name of readdirSync(source))
    if (/^tree-sitter-.+\.wasm$/.test(name)) pack(join(source, name), name)
}
