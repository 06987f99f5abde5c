import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireDocumentPath } from './document-path.ts'
import type { Layer } from './documents/document.ts'
import type { Project } from './project/project.ts'

/** A document as it is written, for a person who edits it. */
export interface DocumentSource {
  readonly path: string
  readonly layer: Layer
  readonly text: string
  /** The one that came with Secretary, where there is one of that name. */
  readonly shipped?: string
}

/** Undefined where there is no such document. */
export async function documentSource(
  project: Project,
  given: string,
  shippedFolder: string,
): Promise<DocumentSource | undefined> {
  const path = requireDocumentPath(given)
  const file = project.shelf.files.find((one) => one.path === path)
  if (!file) return undefined
  const text = await readFile(file.absolute, 'utf8')
  const shipped =
    file.layer === 'shipped' ? text : await readIfThere(join(shippedFolder, ...path.split('/')))
  return { path, layer: file.layer, text, ...(shipped === undefined ? {} : { shipped }) }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}
