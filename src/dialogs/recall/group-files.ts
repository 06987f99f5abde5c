/** Files by folder, as a shell would expand them, so that many fit: `src/{a.ts,b/{c.ts,d.ts}}`. The likeliest folder first. */
export function groupFiles(
  files: readonly string[],
  fits: (lines: readonly string[]) => boolean,
): { lines: string[]; count: number } {
  let count = 0
  let tooMany = files.length + 1
  while (tooMany - count > 1) {
    const middle = (count + tooMany) >> 1
    if (fits(byFolder(files.slice(0, middle)))) count = middle
    else tooMany = middle
  }
  return { lines: byFolder(files.slice(0, count)), count }
}

/** A folder's files and folders by name, in the order in which they first came. */
type Tree = Map<string, Tree>

function byFolder(files: readonly string[]): string[] {
  const root: Tree = new Map()
  for (const file of files) {
    let folder = root
    for (const name of file.split('/')) {
      const inner = folder.get(name) ?? new Map()
      folder.set(name, inner)
      folder = inner
    }
  }
  return [...root].map(([name, tree]) => spelled(name, tree))
}

function spelled(name: string, tree: Tree): string {
  if (tree.size === 0) return name
  const inner = [...tree].map(([child, below]) => spelled(child, below))
  return `${name}/${inner.length === 1 ? inner[0] : `{${inner.join(',')}}`}`
}
