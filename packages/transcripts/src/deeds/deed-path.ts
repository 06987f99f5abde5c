import { posix } from 'node:path'

/** Where agents put worktrees of a project inside it: a file there is the project's own, on another branch. */
const IN_WORKTREE = /^\.(?:claude\/)?worktrees\/[^/]+\//

/** Forward slashes, a small drive letter, and relative to the first folder that holds it. */
export function pathFrom(path: string, folders: readonly string[]): string {
  const spelled = isPlain(path) ? path : slashed(path)
  for (const folder of folders) {
    const sign = spelled.startsWith(folder) ? spelled[folder.length] : undefined
    if (sign === '/') return normal(spelled.slice(folder.length + 1))
    // Restored on another system: the folder has a new spelling, the rest does not.
    if (sign === '\\') return normal(spelled.slice(folder.length + 1).replaceAll('\\', '/'))
  }
  return normal(spelled)
}

/** Spelled as paths inside a folder are compared. */
export function plainFolder(folder: string): string {
  return isPlain(folder) ? folder : slashed(folder)
}

function isPlain(path: string): boolean {
  return path.startsWith('/') && !path.includes('\\')
}

function normal(path: string): string {
  const plain = path.includes('./') || path.includes('//') ? posix.normalize(path) : path
  return plain.startsWith('.') ? plain.replace(IN_WORKTREE, '') : plain
}

function slashed(path: string): string {
  const forward = /^[a-z]:[\\/]|^\\\\|^[^/]*\\/i.test(path) ? path.replaceAll('\\', '/') : path
  return forward
    .replace(/^file:\/\//, '')
    .replace(/^([A-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`)
}
