import { join } from 'node:path'
import type { Changes } from '@secretary-mcp/core/changes.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { OpenTasks } from './commands.ts'
import { type Content, getContent } from './content.ts'
import {
  DocumentSharing,
  type DocumentSpaces,
  type SpaceDocumentStore,
} from './document-sharing.ts'
import { documentSource, versionOf } from './document-source.ts'
import { DocrootMirror, type DocumentStore } from './documents/docroot-mirror.ts'
import { DocumentWatch } from './documents/document-watch.ts'
import { Documents } from './documents.ts'
import { Library } from './documents/library.ts'
import { FlagService } from './flags.ts'
import type { GuideStore } from './guide-store.ts'
import { openProject, type Project, recordOf } from './project/project.ts'
import { Projects } from './project/projects.ts'
import { Selections } from './project/selections.ts'
import { type RulesInForce, rulesInForce } from './rules.ts'
import { reviewDocuments, type TrustReview } from './trust-review.ts'
import { TrustedDocuments } from './trusted-documents.ts'

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
