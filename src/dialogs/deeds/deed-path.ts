import { posix } from 'node:path'

/** Forward slashes, a small drive letter, and relative to the first folder that holds it. */
export function pathFrom(path: string, folders: readonly string[]): string {
  const spelled = slashed(path)
  for (const folder of folders) {
    const root = slashed(folder)
    if (spelled.startsWith(`${root}/`)) return posix.normalize(spelled.slice(root.length + 1))
  }
  return posix.normalize(spelled)
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:\//i.test(path)
}

function slashed(path: string): string {
  const forward = /^[a-z]:[\\/]|^\\\\|^[^/]*\\/i.test(path) ? path.replaceAll('\\', '/') : path
  return forward
    .replace(/^file:\/\//, '')
    .replace(/^([A-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`)
}
