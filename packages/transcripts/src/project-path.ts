import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One spelling for a project's folder: real path, forward slashes, small drive letter, no slash at the end. */
export function projectPath(path: string): string {
  return plain(realOr(path))
}

/** The names under which sources know a project: its folder, as given and real, and the hash that Gemini CLI uses. */
export function projectNames(path: string): string[] {
  const names = [plain(path), projectPath(path)]
  return [...new Set([...names, ...[...new Set([path, ...names])].map(hashName)])]
}

function hashName(path: string): string {
  return `sha256:${createHash('sha256').update(path).digest('hex')}`
}

/** The folder that a VS Code URI names; of a remote one, the path over there. */
export function folderOfUri(uri: string): string | undefined {
  try {
    if (uri.startsWith('file:')) return projectPath(fileURLToPath(uri))
    const { pathname } = new URL(uri)
    return pathname ? plain(decodeURIComponent(pathname)) : undefined
  } catch {
    return undefined
  }
}

export function isWithin(project: string | undefined, names: readonly string[]): boolean {
  return (
    project !== undefined &&
    names.some((name) => project === name || project.startsWith(`${name}/`))
  )
}

function plain(path: string): string {
  const slashed = /^[a-z]:\\|^\\\\/i.test(path) ? path.replaceAll('\\', '/') : path
  const small = slashed.replace(/^([A-Z]):/, (_, drive: string) => `${drive.toLowerCase()}:`)
  return small.length > 1 ? small.replace(/(?<!\/)\/+$/, '') : small
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
