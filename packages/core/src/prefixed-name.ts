/** A tool's own prefix beats the default; the empty one leaves the name alone. */
export function prefixedName(
  { name, prefix }: { readonly name: string; readonly prefix?: string },
  fallback: string,
): string {
  const chosen = prefix ?? fallback
  return chosen === '' ? name : `${chosen}_${name}`
}
