import { posix } from 'node:path'

/** Files by folder, so that many fit: `src/a/{b.ts,c.ts}`. As many as fit, the likeliest folder first. */
export function groupFiles(
  files: readonly string[],
  most: number,
  costOf: (text: string) => number,
): { lines: string[]; count: number } {
  const folders = new Map<string, string[]>()
  let left = most
  let count = 0
  for (const file of files) {
    const folder = posix.dirname(file)
    const name = posix.basename(file)
    const known = folders.get(folder)
    const cost = known ? costOf(`,${name}`) : costOf(`"${folder}/{${name}}",`)
    if (cost > left) continue
    left -= cost
    count++
    if (known) known.push(name)
    else folders.set(folder, [name])
  }
  return { lines: [...folders].map(([folder, names]) => inOneLine(folder, names)), count }
}

function inOneLine(folder: string, names: readonly string[]): string {
  const all = names.length === 1 ? (names[0] ?? '') : `{${names.join(',')}}`
  return folder === '.' ? all : `${folder === '/' ? '' : folder}/${all}`
}
