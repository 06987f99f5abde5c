import { join } from 'node:path'
import { readInside } from '../../core/files/read-inside.ts'
import { versionOf } from '../document-source.ts'
import { LARGEST_DOCUMENT } from './document.ts'
import { PROJECT_FOLDER } from './library.ts'
import { realFolder } from './real-path.ts'

/** Another one whenever a document of the project comes, goes or says something else: what a person trusts is what they read. */
export function versionOfOwn(project: string, paths: readonly string[]): string {
  const root = realFolder(join(project, PROJECT_FOLDER), project)
  const textOf = (path: string) =>
    root && readInside(root, path, LARGEST_DOCUMENT, { links: true })?.toString('utf8')
  return versionOf(JSON.stringify(paths.map((path) => [path, textOf(path) ?? ''])))
}
