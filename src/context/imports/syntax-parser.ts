import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language, Parser, Query } from 'web-tree-sitter'

interface Loaded {
  readonly parser: Parser
  readonly language: Language
  readonly query: Query
}

const loaded = new Map<string, Promise<Loaded>>()

/** The texts of the statements that a query finds, in order. The runtime and each grammar load on first use. */
export async function findStatements(grammar: string, query: string, text: string): Promise<string[]> {
  let ready = loaded.get(grammar)
  if (!ready) {
    ready = load(grammar, query)
    loaded.set(grammar, ready)
    ready.catch(() => loaded.delete(grammar))
  }
  const { parser, query: compiled } = await ready
  const tree = parser.parse(text)
  if (!tree) return []
  try {
    return compiled
      .captures(tree.rootNode)
      .filter(({ name }) => name === 'statement')
      .map(({ node }) => node.text)
  } finally {
    tree.delete()
  }
}

async function load(grammar: string, source: string): Promise<Loaded> {
  const { Language, Parser, Query } = await import('web-tree-sitter')
  const require = createRequire(import.meta.url)
  const runtime = require.resolve('web-tree-sitter/web-tree-sitter.wasm')
  await Parser.init({ locateFile: () => runtime })
  const folder = join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm')
  const language = await Language.load(join(folder, `tree-sitter-${grammar}.wasm`))
  const parser = new Parser()
  parser.setLanguage(language)
  return { parser, language, query: new Query(language, source) }
}
