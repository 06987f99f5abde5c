/** The default prefix, and the prefixes of families for which the installation chose another one. */
export interface Prefixes {
  readonly fallback: string
  readonly families?: Readonly<Record<string, string>>
}

/** What an installation chose for a family beats a tool's own prefix, which beats the default; the empty one leaves the name alone. */
export function prefixedName(
  { name, prefix, family }: NamedTool,
  { fallback, families = {} }: Prefixes,
): string {
  const chosen = families[family] ?? prefix ?? fallback
  return chosen === '' ? name : `${chosen}_${name}`
}

interface NamedTool {
  readonly name: string
  readonly family: string
  readonly prefix?: string
}
