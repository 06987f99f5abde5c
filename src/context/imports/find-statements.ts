import type { Parser, Query } from 'web-tree-sitter'
import { installedGrammars } from '../../search/syntax/grammars.ts'

interface Loaded {
  readonly parser: Parser
  readonly query: Query
}

const loaded = new Map<string, Promise<Loaded>>()

/** The texts of the statements that a query finds, in order. There is one query for each grammar. */
export async function findStatements(
  grammar: string,
  query: string,
  text: string,
): Promise<string[]> {
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
  const { Query } = await import('web-tree-sitter')
  const grammars = installedGrammars()
  const [parser, language] = await Promise.all([grammars.newParser(), grammars.load(grammar)])
  parser.setLanguage(language)
  return { parser, query: new Query(language, source) }
}
