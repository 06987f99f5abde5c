import type { Parser, Tree } from 'web-tree-sitter'

/** Real files take a few milliseconds; some texts are written so that a grammar never comes to an end. */
const LONGEST_MS = 1_000

/** Undefined where the text took too long to parse. */
export function parseWithin(parser: Parser, text: string): Tree | undefined {
  const started = performance.now()
  // Typed as if it returned nothing; what it returns decides whether parsing goes on.
  const progressCallback = () => performance.now() - started > LONGEST_MS
  const tree = parser.parse(text, null, { progressCallback })
  if (!tree) parser.reset()
  return tree ?? undefined
}
