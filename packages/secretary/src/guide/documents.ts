import type { Changes } from '@secretary-mcp/core/changes.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import { documentUri, requireDocumentPath } from './document-path.ts'
import { ASK } from './names.ts'
import type { Project } from './project/project.ts'
import type { DocrootMirror } from './documents/docroot-mirror.ts'
import { isProblem, LARGEST_DOCUMENT, type Layer } from './documents/document.ts'
import type { Library } from './documents/library.ts'
import { parseDocument } from './documents/parse-document.ts'
import { DocumentWriter } from './documents/writer.ts'

interface Writing {
  readonly path: string
  readonly content: string
  readonly author: string
}

export interface Written {
  readonly document: string
}

/** Creates, changes and removes documents of the person's docroot; the tools above it ask for consent. */
export class Documents {
  readonly #library: Library
  readonly #changes: Changes
  readonly #writer: DocumentWriter
  readonly #shared: () => DocrootMirror | undefined

  constructor(library: Library, changes: Changes, shared: () => DocrootMirror | undefined) {
    this.#library = library
    this.#changes = changes
    this.#writer = new DocumentWriter(library.layers.user)
    this.#shared = shared
  }

  async create(
    project: Project,
    { path: given, content, author }: Writing,
  ): Promise<Result<Written>> {
    const path = requireDocumentPath(given)
    await this.#requireSound(path, content)
    const there = layerOf(path, project)
    if (there && there !== 'project') throw exists(path)
    const shared = this.#shared()
    const created =
      shared?.store.create(path, content, author) ?? this.#writer.create(path, content)
    if (!(await created)) throw exists(path)
    await shared?.pull()
    this.#changes.announce({ kind: 'resources' })
    return Result.ok({ document: path }, { message: `Document ${path} created${shadow(there)}` })
  }

  async update(
    project: Project,
    { path: given, content, author }: Writing,
  ): Promise<Result<Written>> {
    const path = requireDocumentPath(given)
    await this.#requireSound(path, content)
    const there = layerOf(path, project)
    if (!there) throw unknown(path)
    requireOwn(path, there)
    const shared = this.#shared()
    await (shared?.store.put(path, content, author) ?? this.#writer.replace(path, content))
    await shared?.pull()
    this.#changes.announce({ kind: 'resource', uri: documentUri(path) })
    const copied =
      there === 'shipped' ? '; your copy now overrides the one that came with Secretary' : ''
    return Result.ok({ document: path }, { message: `Document ${path} updated${copied}` })
  }

  async remove(
    project: Project,
    { path: given, author }: Omit<Writing, 'content'>,
  ): Promise<Result<Written>> {
    const path = requireDocumentPath(given)
    const there = layerOf(path, project)
    requireOwn(path, there)
    const shared = this.#shared()
    const wasShared = (await shared?.store.remove(path, author)) ?? false
    const wasHere = await this.#writer.remove(path)
    if (!wasShared && !wasHere) throw there ? shipped(path) : unknown(path)
    await shared?.pull()
    this.#changes.announce({ kind: 'resources' })
    return Result.ok({ document: path }, { message: `Document ${path} removed` })
  }

  /** A document that could not be read afterwards is not written. */
  async #requireSound(path: string, content: string): Promise<void> {
    if (Buffer.byteLength(content) > LARGEST_DOCUMENT) {
      throw new Failure('too_large', `A document has at most ${LARGEST_DOCUMENT} bytes`, {
        instruction: ASK,
      })
    }
    const read = parseDocument({ path, layer: 'user' }, content, await this.#library.yaml())
    if (isProblem(read)) {
      throw new Failure(read.error_type, `The document was not saved: ${read.error}`, {
        instruction: 'Fix the content and try again.',
      })
    }
  }
}

function layerOf(path: string, project: Project): Layer | undefined {
  return project.shelf.files.find((file) => file.path === path)?.layer
}

function shadow(layer: Layer | undefined): string {
  return layer === 'project' ? "; this project's own document of that name overrides it" : ''
}

function exists(path: string): Failure {
  return new Failure('already_exists', `The document ${path} already exists`, {
    instruction: 'Ask the person whether to change it; `update_document` does that.',
  })
}

function unknown(path: string): Failure {
  return new Failure('not_found', `There is no document ${path}`, { instruction: ASK })
}

function shipped(path: string): Failure {
  return new Failure('read_only', `${path} came with Secretary and cannot be removed`, {
    instruction:
      'Offer to change it with `update_document`, or to remove its category from the project.',
  })
}

function requireOwn(path: string, layer: Layer | undefined): void {
  if (layer === 'project')
    throw new Failure('read_only', `${path} belongs to the project's .guide folder`, {
      instruction: 'Tell the person: it is a file of the repository and is edited there.',
    })
  if (layer === 'space')
    throw new Failure('read_only', `${path} is a copy that a space has in common`, {
      instruction: 'Tell the person: its author changes the original and shares it again.',
    })
}
