import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { hidePrivateKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { type DocumentFile, digestOf, type Layer, readDocument } from './documents/document.ts'
import { requireDocumentPath } from './names.ts'
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
  const text = file.text ?? readSource(file)
  if (text === undefined) return undefined
  const shipped =
    file.layer === 'shipped' ? text : await readIfThere(join(shippedFolder, ...path.split('/')))
  return {
    path,
    layer: file.layer,
    text,
    ...(shipped === undefined ? {} : { shipped }),
  }
}

/** Another one for every other text. */
export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** By the rules of every other reader: since it was listed, a link may have taken its place. */
function readSource(file: DocumentFile): string | undefined {
  const { path, digest } = file
  const bytes = readDocument(file)
  if (digest !== undefined && digestOf(bytes) !== digest) return undefined
  const text = bytes?.toString('utf8')
  // With the key hidden it could not be saved again without losing it.
  if (text !== undefined && hidePrivateKeys(text) !== text)
    throw new Failure('forbidden', `${path} contains a private key; edit the file itself`)
  return text
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}
