import type { Document, DocumentFile, Problem } from './document.ts'
import type { ParseYaml } from './front-matter.ts'
import type { Shelf } from './library.ts'
import { parseDocument } from './parse-document.ts'

/** A copy of a document that a space has in common. */
export interface SpaceDocument {
  readonly space: { readonly id: string; readonly name: string }
  readonly path: string
  readonly content: string
}

/** The folder, and so the category, in which documents of spaces are found. */
export const SPACES_FOLDER = 'spaces'

/** The shelf with what the reader's spaces have added, each space in a folder of its name. */
export function withSpaceDocuments(
  shelf: Shelf,
  shared: readonly SpaceDocument[],
  parseYaml: ParseYaml,
): Shelf {
  if (shared.length === 0) return shelf
  const folders = foldersOf(shared)
  const files = shared.map(
    ({ space, path, content }): DocumentFile => ({
      path: `${SPACES_FOLDER}/${folders.get(space.id)}/${path}`,
      layer: 'space',
      absolute: '',
      root: '',
      text: content,
    }),
  )
  const byPath = new Map(files.map((file) => [file.path, file]))
  // A file of that name on this machine is the person's own, and comes first.
  const others = files.filter(({ path }) => shelf.find(path) === undefined)
  const parsed = (file: DocumentFile): Document | Problem =>
    parseDocument(file, file.text ?? '', parseYaml)
  return {
    ...shelf,
    files: [...shelf.files, ...others].sort((a, b) => (a.path < b.path ? -1 : 1)),
    topFolders: [...new Set([...shelf.topFolders, SPACES_FOLDER])],
    find: (path) => shelf.find(path) ?? byPath.get(path) ?? byPath.get(`${path}.md`),
    read: (file) => (file.layer === 'space' ? parsed(file) : shelf.read(file)),
    peek: (file) => (file.layer === 'space' ? parsed(file) : shelf.peek(file)),
  }
}

/** A name may have signs that a path cannot; of two that look alike then, the second goes by its id. */
function foldersOf(shared: readonly SpaceDocument[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>()
  for (const { space } of shared) {
    if (folders.has(space.id)) continue
    const name = space.name.replace(/[\\/:*?"<>|+,]+/g, '-').replace(/^[_.\s]+/, '')
    const isTaken = name === '' || [...folders.values()].includes(name)
    folders.set(space.id, isTaken ? space.id : name)
  }
  return folders
}
