import type { Changes } from '../../core/changes.ts'
import { Failure } from '../../core/failure.ts'
import { Result } from '../../core/result.ts'
import { documentUri, requireDocumentPath } from '../document-path.ts'
import { ASK } from '../names.ts'
import type { Project } from '../project/project.ts'
import { isProblem, LARGEST_DOCUMENT, type Layer } from './document.ts'
import type { Library } from './library.ts'
import { parseDocument } from './parse-document.ts'
import { DocumentWriter } from './writer.ts'

export interface Written {
  readonly document: string
}

/** Creates, changes and removes documents of the person's docroot; the tools above it ask for consent. */
export class Documents {
  readonly #library: Library
  readonly #changes: Changes
  readonly #writer: DocumentWriter

  constructor(library: Library, changes: Changes) {
    this.#library = library
    this.#changes = changes
    this.#writer = new DocumentWriter(library.layers.user)
  }

  async create(project: Project, given: string, content: string): Promise<Result<Written>> {
    const path = requireDocumentPath(given)
    await this.#requireSound(path, content)
    const there = layerOf(path, project)
    if (there && there !== 'project') throw exists(path)
    if (!(await this.#writer.create(path, content))) throw exists(path)
    this.#changes.announce({ kind: 'resources' })
    return Result.ok({ document: path }, { message: `Document ${path} created${shadow(there)}` })
  }

  async update(project: Project, given: string, content: string): Promise<Result<Written>> {
    const path = requireDocumentPath(given)
    await this.#requireSound(path, content)
    const there = layerOf(path, project)
    if (!there) throw unknown(path)
    if (there === 'project') throw belongsToProject(path)
    await this.#writer.replace(path, content)
    this.#changes.announce({ kind: 'resource', uri: documentUri(path) })
    const copied =
      there === 'shipped' ? '; your copy now overrides the one that came with Secretary' : ''
    return Result.ok({ document: path }, { message: `Document ${path} updated${copied}` })
  }

  async remove(project: Project, given: string): Promise<Result<Written>> {
    const path = requireDocumentPath(given)
    const there = layerOf(path, project)
    if (there === 'project') throw belongsToProject(path)
    if (!(await this.#writer.remove(path))) throw there ? shipped(path) : unknown(path)
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

function belongsToProject(path: string): Failure {
  return new Failure('read_only', `${path} belongs to the project's .guide folder`, {
    instruction: 'Tell the person: it is a file of the repository and is edited there.',
  })
}
