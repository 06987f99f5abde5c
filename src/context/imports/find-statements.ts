import type { Node, Parser, Query } from 'web-tree-sitter'
import { installedGrammars } from '../../search/syntax/grammars.ts'
import { parseWithin } from '../../search/syntax/parse-within.ts'

interface Loaded {
  readonly parser: Parser
  readonly query: Query
}

export interface Statements {
  readonly statements: readonly { readonly capture: string; readonly text: string }[]
  /** From 1; undefined where everything was understood. */
  readonly errorLine?: number
}

const LONGEST_STATEMENT = 20_000

const loaded = new Map<string, Promise<Loaded>>()

/** The texts of the statements that a query finds, in order. There is one query for each grammar. */
export async function findStatements(
  grammar: string,
  query: string,
  text: string,
): Promise<Statements> {
  let ready = loaded.get(grammar)
  if (!ready) {
    ready = load(grammar, query)
    loaded.set(grammar, ready)
    ready.catch(() => loaded.delete(grammar))
  }
  const { parser, query: compiled } = await ready
  const tree = parseWithin(parser, text)
  if (!tree) return { statements: [], errorLine: 1 }
  try {
    const statements = compiled
      .captures(tree.rootNode)
      .filter(({ name, node }) => name !== 'called' && node.text.length <= LONGEST_STATEMENT)
      .map(({ name, node }) => ({ capture: name, text: node.text }))
    return { statements, errorLine: errorLine(tree.rootNode) }
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

/** Of the first place that the grammar did not understand. */
function errorLine(root: Node): number | undefined {
  let node = root.hasError ? root : undefined
  while (node) {
    const inner: Node | undefined =
      node.children.find((child) => child?.hasError || child?.isError || child?.isMissing) ??
      undefined
    if (!inner || node.isError || node.isMissing) return node.startPosition.row + 1
    node = inner
  }
  return undefined
}
