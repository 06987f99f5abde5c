import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the parser and its grammars lie: inside their packages, whichever folder those were installed to. */
export function grammarFiles(): { readonly grammarFolder: string; readonly runtime: string } {
  const require = createRequire(import.meta.url)
  return {
    grammarFolder: join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm'),
    runtime: require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
  }
}
