import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { hidePrivateKeys } from '@secretary-mcp/core/files/private-keys.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Kysely } from 'kysely'
import { EVERYBODY } from '../space.ts'
import { recordAudit } from '../spaces/store/space-store.ts'
import type { Database } from '../storage/database.ts'
import type { Tables } from '../storage/tables.ts'
import { type DocumentFile, digestOf, type Layer, readDocument } from './documents/document.ts'
import type { SpaceDocument } from './documents/library.ts'
import { requireDocumentPath } from './names.ts'
import type { Project } from './project/project.ts'

export interface ListedDocument {
  readonly path: string
  readonly author: string
  /** ISO 8601. */
  readonly updatedAt: string
}

/** The copy as somebody saw it. */
export interface SeenCopy {
  /** Null where there was none. */
  readonly updatedAt: string | null
}

interface Sharing {
  readonly user: string
  readonly space: string
  readonly path: string
  readonly now: string
}

/** What sharing documents needs from storage. Every change is written into the space's log. */
export interface SpaceDocumentStore {
  /** Those of all spaces that a person may read. */
  readable(user: string): Promise<SpaceDocument[]>
  list(space: string): Promise<ListedDocument[]>
  /** False where it is no longer what was seen. */
  put(sharing: Sharing, content: string, seen?: SeenCopy): Promise<boolean>
  /** Only the author's own, unless anybody's may go; false where there is none, or another one than was seen. */
  remove(sharing: Sharing, isAnybodys: boolean, seen?: SeenCopy): Promise<boolean>
}

/** The spaces in which a caller may do something. */
export interface DocumentSpaces {
  require(
    caller: Caller,
    idOrName: string,
    act: 'read' | 'contribute',
  ): Promise<{ readonly id: string; readonly name: string; readonly role: string }>
}

interface Parts {
  readonly store: SpaceDocumentStore
  readonly spaces: DocumentSpaces
  readonly source: (caller: Caller, path: string) => Promise<DocumentSource | undefined>
  readonly changed: () => void
}

/** Copies of documents that a space has in common. The person's own stays theirs and as it is. */
export class DocumentSharing {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async list(caller: Caller, space: string): Promise<ListedDocument[]> {
    const { store, spaces } = this.#parts
    return store.list((await spaces.require(caller, space, 'read')).id)
  }

  /** As it is now: sharing it again brings the copy up to date. */
  async share(caller: Caller, path: string, space: string, seen?: SeenCopy): Promise<void> {
    const { store, spaces, source, changed } = this.#parts
    const { id, name } = await spaces.require(caller, space, 'contribute')
    const found = await source(caller, path)
    if (!found) throw new Failure('not_found', `There is no document ${path}`)
    if (found.layer === 'space')
      throw new Failure(
        'validation_error',
        `${path} is a copy in a space already; share the original`,
      )
    if (!(await store.put(sharing(caller, id, found.path), redact(found.text), seen)))
      throw await this.#changedMeanwhile(id, name, found.path)
    changed()
  }

  async unshare(caller: Caller, given: string, space: string, seen?: SeenCopy): Promise<void> {
    const { store, spaces, changed } = this.#parts
    const { id, name, role } = await spaces.require(caller, space, 'read')
    const path = requireDocumentPath(given)
    if (!(await store.remove(sharing(caller, id, path), role === 'operator', seen))) {
      const now = (await store.list(id)).find((one) => one.path === path)
      if (seen && now && now.updatedAt !== seen.updatedAt)
        throw await this.#changedMeanwhile(id, name, path)
      throw new Failure('not_found', `${path} is not in ${name}, or somebody else shared it`)
    }
    changed()
  }

  async #changedMeanwhile(space: string, name: string, path: string): Promise<Failure> {
    const now = (await this.#parts.store.list(space)).find((one) => one.path === path)
    const what = now ? `${now.author} has shared another copy of ${path}` : `${path} is gone`
    return new Failure('changed_meanwhile', `${what} in ${name} meanwhile`, {
      data: { author: now?.author, updatedAt: now?.updatedAt ?? null },
    })
  }
}

function sharing({ user }: Caller, space: string, path: string): Sharing {
  return { user, space, path, now: new Date().toISOString() }
}

type Change = Parameters<SpaceDocumentStore['put']>[0]

export function createSpaceDocumentStore(database: Database): SpaceDocumentStore {
  return {
    async readable(user) {
      const rows = await database.use((db) =>
        db
          .selectFrom('space_documents')
          .innerJoin('spaces', 'spaces.id', 'space_documents.space_id')
          .select(['spaces.id', 'spaces.name', 'path', 'content'])
          .where((e) =>
            e.or([
              e('spaces.id', '=', EVERYBODY),
              e(
                'spaces.id',
                'in',
                e
                  .selectFrom('space_members')
                  .select('space_members.space_id')
                  .where('user_id', '=', user),
              ),
            ]),
          )
          .orderBy('spaces.id')
          .orderBy('path')
          .execute(),
      )
      return rows.map(({ id, name, path, content }) => ({ space: { id, name }, path, content }))
    },

    async list(space) {
      const rows = await database.use((db) =>
        db
          .selectFrom('space_documents')
          .select(['path', 'author', 'updated_at'])
          .where('space_id', '=', space)
          .orderBy('path')
          .execute(),
      )
      return rows.map(({ path, author, updated_at: updatedAt }) => ({ path, author, updatedAt }))
    },

    put: (change, content, seen) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const { user, space, path, now } = change
          const row = { content, author: user, updated_at: now }
          const { numInsertedOrUpdatedRows = 0n } = await trx
            .insertInto('space_documents')
            .values({ space_id: space, path, ...row })
            .onConflict((conflict) => {
              const there = conflict.columns(['space_id', 'path'])
              if (seen === undefined) return there.doUpdateSet(row)
              if (seen.updatedAt === null) return there.doNothing()
              return there.doUpdateSet(row).where('space_documents.updated_at', '=', seen.updatedAt)
            })
            .executeTakeFirstOrThrow()
          if (numInsertedOrUpdatedRows === 0n) return false
          await audit(trx, change, 'share')
          return true
        }),
      ),

    remove: (change, isAnybodys, seen) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          let wanted = trx
            .deleteFrom('space_documents')
            .where('space_id', '=', change.space)
            .where('path', '=', change.path)
          if (!isAnybodys) wanted = wanted.where('author', '=', change.user)
          if (seen) wanted = wanted.where('updated_at', '=', seen.updatedAt ?? '')
          const { numDeletedRows } = await wanted.executeTakeFirstOrThrow()
          if (numDeletedRows === 0n) return false
          await audit(trx, change, 'unshare')
          return true
        }),
      ),
  }
}

function audit(trx: Kysely<Tables>, { user, space, path, now }: Change, action: string) {
  const subject = { kind: 'document', id: path } as const
  return recordAudit(trx, { at: now, user, space, action, subject, text: '' })
}

/** A document as it is written, for a person who edits it. */
interface DocumentSource {
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
