const NAME = '[^\\\\/\\s"\'`:;,<>|(){}[\\]]+'
/** Where systems keep them; before the first slash there is no other part of a path, so no address of a site is meant. */
const HOMES = new RegExp(
  [
    `[A-Za-z]:[\\\\/]+[Uu]sers[\\\\/]+${NAME}`,
    `(?<![\\w.~-])(?:file://)?(?:/mnt)?/[a-z]/Users/${NAME}`,
    `(?<![\\w.~-])(?:file://)?/Users/${NAME}`,
    `(?<![\\w.~-])(?:file://)?(?:/[\\w.-]+)?/home/${NAME}`,
    '(?<![\\w.~/-])(?:file://)?/root(?![\\w-])',
  ].join('|'),
  'g',
)
const SHORTEST = 4

/** Text without what only this machine has: its project's folders become relative, home folders `~`. */
export function withoutPlaces(text: string, folders: readonly string[], home: string): string {
  let clean = text
  // Longer ones first: a folder may be inside another.
  for (const folder of longestFirst(folders)) {
    const inside = new RegExp(`${spelled(folder)}(?:([\\\\/]+)(?=[\\w.@-])|(?![\\w-]))`, 'gi')
    clean = clean
      .replace(inside, (_whole, slash: string | undefined) => (slash ? '' : '.'))
      .replaceAll(dashed(folder), '-')
  }
  for (const one of longestFirst([home]))
    clean = clean
      .replace(new RegExp(`${spelled(one)}(?![\\w-])`, 'gi'), '~')
      .replaceAll(dashed(one), '-')
  return clean.replace(HOMES, '~').replace(/(?<!\w)-(?:home|Users)-\w+/g, '-')
}

function longestFirst(folders: readonly string[]): string[] {
  return [...new Set(folders)]
    .filter((folder) => folder.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
}

/** With slashes of either kind, and twice where the text is JSON. */
function spelled(folder: string): string {
  const parts = folder.split(/[\\/]+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // A run of slashes begins once only.
  const start = parts[0] === '' ? '(?<![\\w.~\\\\/-])' : '(?<![\\w.~-])'
  return `${start}(?:file:\\/\\/)?${parts.join('[\\\\/]+')}`
}

/** As agents name folders after a project's path. */
function dashed(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9-]/g, '-')
}
