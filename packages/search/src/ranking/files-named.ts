import { posix } from 'node:path'

/** Paths that hold all of these parts: those that have the last of them in their name first, then the shorter ones. */
export function filesNamed(
  files: Iterable<{ readonly path: string }>,
  parts: readonly string[],
  limit: number,
): string[] {
  const wanted = parts.map((part) => part.toLowerCase()).filter((part) => part !== '')
  if (wanted.length === 0) return []
  const last = wanted.at(-1) ?? ''
  const found: { path: string; isNamed: boolean }[] = []
  for (const { path } of files) {
    const lower = path.toLowerCase()
    if (wanted.every((part) => lower.includes(part)))
      found.push({ path, isNamed: posix.basename(lower).includes(last) })
  }
  return found
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.path.length - b.path.length)
    .slice(0, limit)
    .map(({ path }) => path)
}
