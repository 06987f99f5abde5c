const HOLDERS = new Set('src lib packages apps crates modules services libs plugins components cmd internal pkg'.split(' '))

/** The module a file belongs to: the folder below `src`, `packages` and the like, otherwise the first folder; none for a file at the top. */
export function moduleOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1)
  const holder = folders.findIndex((folder) => HOLDERS.has(folder))
  return folders[holder + 1] ?? folders[holder] ?? null
}
