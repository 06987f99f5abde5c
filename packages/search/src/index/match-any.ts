/** An FTS5 query for rows with any of the terms; quoted, so that no term can be an operator. */
export function matchAny(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
}
