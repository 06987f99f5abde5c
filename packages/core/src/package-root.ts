import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds assets and docroot: from the bundle and from the sources alike. */
export function packageRoot(from: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(from))
  while (!existsSync(join(folder, 'docroot'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('The installation is incomplete: docroot was not found')
    folder = parent
  }
  return folder
}
