import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** Undefined where there is no such folder, or where it leads out of the one it must lie in. */
export function realFolder(folder: string, inside?: string): string | undefined {
  const real = realPath(folder)
  if (real === undefined || inside === undefined) return real
  const container = realPath(inside)
  return container !== undefined && isInside(real, container) ? real : undefined
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
