import { join } from 'node:path'
import type { Change, Changes } from '@secretary-mcp/core/changes.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { FolderWatch } from '@secretary-mcp/core/folder-watch.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { OpenTasks } from './commands.ts'
import type { Content } from './content.ts'
import {
  DocumentSharing,
  type DocumentSpaces,
  documentSource,
  type SpaceDocumentStore,
  versionOf,
} from './document-sharing.ts'
import { DocrootMirror, type DocumentStore } from './documents/docroot-mirror.ts'
import { isProblem, type Layer, MAX_DOCUMENT_SIZE } from './documents/document.ts'
import { Library, type Survey } from './documents/library.ts'
import { parseDocument } from './documents/parse-document.ts'
import { DocumentWriter } from './documents/writer.ts'
import { FlagService } from './flags.ts'
import { ASK, documentUri, requireDocumentPath } from './names.ts'
import { openProject, type Project, recordOf } from './project/project.ts'
import { Projects } from './project/projects.ts'
import { Selections } from './project/selections.ts'
import { type RulesInForce, rulesInForce } from './select.ts'
import type { GuideStore } from './store/guide-store.ts'
import type { TrustReview } from './trust-review.ts'
import { TrustedDocuments } from './trusted-documents.ts'

interface Writing {
  readonly path: string
  readonly content: string
  readonly author: string
}

interface Written {
  readonly document: string
}

/** Creates, changes and removes documents of the person's docroot; the tools above it ask for consent. */
class Documents {
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
    if (Buffer.byteLength(content) > MAX_DOCUMENT_SIZE) {
      throw new Failure('too_large', `A document has at most ${MAX_DOCUMENT_SIZE} bytes`, {
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

const MAX_PROJECTS = 20

const MAX_FOLDERS = 500

/** More at once is a checkout, not an edit: one notice stands for all of them. */
const MAX_NAMED = 50

/** Announces documents that somebody changed on disk, in the projects whose guide is in use. */
class DocumentWatch {
  readonly #library: Library
  readonly #announce: (change: Change) => void
  readonly #seen = new Map<string, Survey>()
  readonly #folders = new FolderWatch(() => {
    try {
      this.#look()
    } catch {
      // What cannot be looked at is told to whoever asks for it next; there is nobody to tell here.
    }
  })

  constructor(library: Library, announce: (change: Change) => void) {
    this.#library = library
    this.#announce = announce
  }

  follow(project: string): void {
    if (this.#seen.has(project)) return
    const [oldest] = this.#seen.keys()
    if (this.#seen.size >= MAX_PROJECTS && oldest !== undefined) this.#seen.delete(oldest)
    this.#seen.set(project, this.#library.survey(project))
    this.#followFolders()
  }

  close(): void {
    this.#folders.close()
  }

  #look(): void {
    const changed = new Set<string>()
    for (const [project, before] of this.#seen) {
      const now = this.#library.survey(project)
      this.#seen.set(project, now)
      // A new one too: it may have been listed, read and changed again before this look.
      for (const [path, stamp] of now.stamps)
        if (before.stamps.get(path) !== stamp) changed.add(path)
    }
    if (changed.size > MAX_NAMED) this.#announce({ kind: 'resources' })
    else for (const path of changed) this.#announce({ kind: 'resource', uri: documentUri(path) })
    this.#followFolders()
  }

  #followFolders(): void {
    const folders = [...this.#seen.values()].flatMap((survey) => survey.folders)
    this.#folders.follow([...new Set(folders)].slice(0, MAX_FOLDERS))
  }
}

interface Parts {
  readonly store: GuideStore
  readonly changes: Changes
  readonly openTasks: OpenTasks
  /** Documents that come with the package. */
  readonly shipped: string
  readonly home: string
  /** Where the person keeps documents; a folder in the home otherwise. */
  readonly docroot?: string
  readonly spaceDocuments: SpaceDocumentStore
  readonly spaces: DocumentSpaces
}

/** The house rules: documents on disk, chosen by what a project has stored. */
export class Guide {
  readonly library: Library
  readonly trusted: TrustedDocuments
  readonly flags: FlagService
  readonly selections: Selections
  readonly projects: Projects
  readonly documentSharing: DocumentSharing
  readonly openTasks: OpenTasks
  readonly #store: GuideStore
  readonly #documents: Documents
  readonly #watch: DocumentWatch
  readonly #spaceDocuments: SpaceDocumentStore
  #shared?: DocrootMirror

  constructor({ store, changes, openTasks, shipped, home, docroot, ...shared }: Parts) {
    this.#spaceDocuments = shared.spaceDocuments
    const changed = () => changes.announce({ kind: 'resources' })
    const open = (caller: Caller) => this.open(caller)
    this.#store = store
    this.openTasks = openTasks
    this.trusted = new TrustedDocuments(home)
    const user = docroot ?? join(home, 'docroot')
    const trustedDigests = (project: string) => this.trusted.digests(project)
    this.library = new Library({ shipped, user, trustedDigests }, changed)
    this.flags = new FlagService(store, changed)
    this.selections = new Selections({ store, open, changed })
    this.projects = new Projects({ store, open, changed })
    this.#documents = new Documents(this.library, changes, () => this.#shared)
    this.documentSharing = new DocumentSharing({
      store: shared.spaceDocuments,
      spaces: shared.spaces,
      source: (caller, path) => this.documentSource(caller, path),
      changed,
    })
    this.#watch = new DocumentWatch(this.library, (change) => changes.announce(change))
  }

  /** The caller's project as it is now. */
  async open(caller: Caller): Promise<Project> {
    await this.#shared?.pull()
    return openProject(caller, this.#store, this.library, (user) =>
      this.#spaceDocuments.readable(user),
    )
  }

  /** From now on documents are written for every server on the database, and read from there. */
  share(store: DocumentStore): void {
    this.#shared = new DocrootMirror(store, this.library.layers.user)
  }

  /** For as long as a server runs: documents that change on disk are announced. */
  watch({ project }: Pick<Caller, 'project'>): void {
    this.#watch.follow(recordOf(project).path)
  }

  close(): void {
    this.#watch.close()
  }

  async content(
    caller: Caller,
    asked: { expression: string; pattern?: string; offset?: number },
  ): Promise<Result<Content>> {
    const { getContent } = await import('./content.ts')
    return getContent(await this.open(caller), caller, asked)
  }

  /** As it is written, for a person who edits it. */
  async documentSource(caller: Caller, path: string) {
    const shipped = this.library.layers.shipped
    const found = await documentSource(await this.open(caller), path, shipped)
    return found && { ...found, version: versionOf(found.text) }
  }

  /** Fails where a document is no longer the version that the person saw. */
  async requireVersion(caller: Caller, path: string, version: string): Promise<void> {
    if ((await this.documentSource(caller, path))?.version === version) return
    throw new Failure('changed_meanwhile', `The document ${path} was changed meanwhile`)
  }

  /** What the project's own documents say that the person has not trusted yet. */
  async reviewDocuments(caller: Caller): Promise<TrustReview> {
    const { path, shelf } = await this.open(caller)
    const { reviewDocuments } = await import('./trust-review.ts')
    return reviewDocuments(path, shelf.untrustedFiles, this.trusted)
  }

  async createDocument(caller: Caller, path: string, content: string) {
    return this.#documents.create(await this.open(caller), { path, content, author: caller.user })
  }

  async updateDocument(caller: Caller, path: string, content: string) {
    return this.#documents.update(await this.open(caller), { path, content, author: caller.user })
  }

  async removeDocument(caller: Caller, path: string) {
    return this.#documents.remove(await this.open(caller), { path, author: caller.user })
  }

  /** For whoever has to remind an agent of them: titles and one line each. */
  async rulesInForce(caller: Caller, limit?: number): Promise<RulesInForce> {
    return rulesInForce(await this.open(caller), limit)
  }
}
