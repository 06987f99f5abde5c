import { setImmediate as nextTurn } from 'node:timers/promises'
import { installedGrammars, parseInTurns } from '@secretary-mcp/search/syntax/grammars.ts'
import type { Language, Node, Query } from 'web-tree-sitter'

interface Loaded {
  readonly language: Language
  readonly query: Query
}

interface Statement {
  readonly capture: string
  readonly text: string
}

export interface Statements {
  readonly statements: readonly Statement[]
  /** From 1; undefined where everything was understood. */
  readonly errorLine?: number
}

const LONGEST_STATEMENT = 20_000
/** This runs where every caller is answered, so nobody may wait long for somebody else's file. */
const LONGEST_SEARCH_MS = 80
const PART = 65_536
/** People nest a tenth of it; on the way down the search cannot be stopped. */
const DEEPEST = 500
/** Far more than are looked up. */
const MOST_STATEMENTS = 2_000
const MOST_SENSELESS_NODES = 20_000
/** Among which an error is looked for: some texts are all depth. */
const MOST_NODES = 5_000

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
  await nextTurn()
  if (isSenseless(tree.rootNode)) {
    tree.delete()
    return { statements: [], errorLine: 1 }
  }
  try {
    const statements = await search(compiled, tree.rootNode, text)
    return { statements, errorLine: errorLine(tree.rootNode) }
  } finally {
    tree.delete()
  }
}

/** Part by part, so that others get their turn in between. */
async function search(query: Query, root: Node, text: string): Promise<Statement[]> {
  const found: Statement[] = []
  for (let from = 0; from < text.length && found.length < MOST_STATEMENTS; from += PART) {
    const started = performance.now()
    // Typed as if it returned nothing; what it returns decides whether the search goes on.
    const progressCallback = () => performance.now() - started > LONGEST_SEARCH_MS
    // A range is given in bytes, of which a character has two; places are told in characters.
    const part = { startIndex: 2 * from, endIndex: 2 * (from + PART), maxStartDepth: DEEPEST }
    for (const { name, node } of query.captures(root, { ...part, progressCallback })) {
      const { startIndex, endIndex } = node
      // What reaches over from the part before was found there.
      if (name === 'called' || startIndex < from || endIndex - startIndex > LONGEST_STATEMENT)
        continue
      found.push({ capture: name, text: text.slice(startIndex, endIndex) })
    }
    await nextTurn()
  }
  return found.slice(0, MOST_STATEMENTS)
}

/** A long text that is one error: among its parts the search takes steps that cannot be interrupted. */
function isSenseless({ isError, descendantCount }: Node): boolean {
  return isError && descendantCount > MOST_SENSELESS_NODES
}

async function load(grammar: string, source: string): Promise<Loaded> {
  const { Query } = await import('web-tree-sitter')
  const language = await installedGrammars().load(grammar)
  return { language, query: new Query(language, source) }
}

/** Of the first place that the grammar did not understand, as far as it was looked for. */
function errorLine(root: Node): number | undefined {
  if (!root.hasError) return undefined
  const cursor = root.walk()
  let broken = cursor.currentNode
  let node: Node | undefined = broken
  for (let seen = 0; node && seen < MOST_NODES; seen++) {
    if (node.isError || node.isMissing || node.hasError) {
      broken = node
      if (node.isError || node.isMissing || !cursor.gotoFirstChild()) break
    } else if (!cursor.gotoNextSibling()) break
    node = cursor.currentNode
  }
  cursor.delete()
  return broken.startPosition.row + 1
}
