import { posix } from 'node:path'

/** Forward slashes, a small drive letter, and relative to the first folder that holds it. */
export function pathFrom(path: string, folders: readonly string[]): string {
  const spelled = isPlain(path) ? path : slashed(path)
  for (const folder of folders)
    if (spelled.startsWith(folder) && spelled[folder.length] === '/')
      return normal(spelled.slice(folder.length + 1))
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
  return path.includes('./') || path.includes('//') ? posix.normalize(path) : path
}

function slashed(path: string): string {
  const forward = /^[a-z]:[\\/]|^\\\\|^[^/]*\\/i.test(path) ? path.replaceAll('\\', '/') : path
  return forward
    .replace(/^file:\/\//, '')
    .replace(/^([A-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`)
}
