import type { Language, Node, Query, TreeCursor } from 'web-tree-sitter'
import { installedGrammars } from '../../search/syntax/grammars.ts'
import { parseInTurns } from '../../search/syntax/parse-within.ts'

interface Loaded {
  readonly language: Language
  readonly query: Query
}

export interface Statements {
  readonly statements: readonly { readonly capture: string; readonly text: string }[]
  /** From 1; undefined where everything was understood. */
  readonly errorLine?: number
}

const LONGEST_STATEMENT = 20_000
/** This runs where every caller is answered, so nobody may wait long for somebody else's file. */
const LONGEST_SEARCH_MS = 80
/** Where an error is looked for among those that stand side by side. */
const MOST_SIBLINGS = 5_000

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
  const { language, query: compiled } = await ready
  const parser = await installedGrammars().newParser()
  parser.setLanguage(language)
  const tree = await parseInTurns(parser, text)
  parser.delete()
  if (!tree) return { statements: [], errorLine: 1 }
  const started = performance.now()
  // Typed as if it returned nothing; what it returns decides whether the search goes on.
  const progressCallback = () => performance.now() - started > LONGEST_SEARCH_MS
  try {
    const statements = compiled
      .captures(tree.rootNode, { progressCallback })
      .filter(({ name, node }) => name !== 'called' && node.text.length <= LONGEST_STATEMENT)
      .map(({ name, node }) => ({ capture: name, text: node.text }))
    return { statements, errorLine: errorLine(tree.rootNode) }
  } finally {
    tree.delete()
  }
}

async function load(grammar: string, source: string): Promise<Loaded> {
  const { Query } = await import('web-tree-sitter')
  const language = await installedGrammars().load(grammar)
  return { language, query: new Query(language, source) }
}

/** Of the first place that the grammar did not understand. */
function errorLine(root: Node): number | undefined {
  if (!root.hasError) return undefined
  const cursor = root.walk()
  let node = cursor.currentNode
  while (!node.isError && !node.isMissing && cursor.gotoFirstChild()) {
    const inner = firstBroken(cursor)
    if (!inner) break
    node = inner
  }
  cursor.delete()
  return node.startPosition.row + 1
}

function firstBroken(cursor: TreeCursor): Node | undefined {
  for (let seen = 0; seen < MOST_SIBLINGS; seen++) {
    const node = cursor.currentNode
    if (node.hasError || node.isError || node.isMissing) return node
    if (!cursor.gotoNextSibling()) return undefined
  }
  return undefined
}
