import { isPublished, type Repository } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Dialog, Reading } from '@secretary-mcp/transcripts/dialog.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import type { DeedStore } from '../deeds/deed-store.ts'
import { keptDeed } from '../deeds/kept-deed.ts'
import type { DialogIndex } from '../dialog-index.ts'
import { type DialogStore, everyDialog } from '../dialog-store.ts'
import {
  CARRIED,
  DAY_MS,
  isCarried,
  type KeptDialog,
  type KeptStore,
} from '../keeping/kept-store.ts'
import {
  dialogOfPlain,
  type PlainDialog,
  plainDialog,
  wholeDialog,
} from '../keeping/whole-dialog.ts'

interface CarriedBody {
  /** The name of the machine that it comes from. */
  readonly host: string
  readonly dialog: PlainDialog
}

/** It was packed by Secretary and is sealed, so its outline is checked and not each mark and deed. */
const outline = z.object({
  host: z.string(),
  dialog: z.object({
    dialog: z.object({
      sessionId: z.string().min(1),
      source: z.enum(SOURCE_NAMES),
      project: z.string().optional(),
      size: z.number(),
      mtimeMs: z.number(),
      reading: z.object({ sessionId: z.string(), marks: z.array(z.unknown()) }),
    }),
    turns: z.array(z.object({ position: z.number(), request: z.string() })),
    deeds: z.array(z.object({ kind: z.string() })),
  }),
})

function isCarriedBody(body: unknown): body is CarriedBody {
  return outline.safeParse(body).success
}

/** Redacted once more: what was kept long ago was redacted by the rules of that time. */
function packedForOthers(
  { dialog, turns, deeds, lead }: KeptDialog,
  repository: Repository | undefined,
  host: string,
): CarriedBody {
  const { title, firstRequestPreview: first, chatJsonPath: _path, ...rest } = dialog
  return {
    host,
    dialog: plainDialog({
      dialog: {
        ...rest,
        ...(title ? { title: redact(title) } : {}),
        ...(first ? { firstRequestPreview: redact(first) } : {}),
        reading: bareReading(dialog.reading),
      },
      ...(lead ? { lead } : {}),
      turns: turns.map(({ request, answer, ...turn }) => ({
        ...turn,
        request: redact(request),
        ...(answer ? { answer: redact(answer) } : {}),
      })),
      deeds: deeds.map((deed) => keptDeed(deed)),
      ...(repository?.origin && isPublished(repository.origin) ? { repository } : {}),
    }),
  }
}

/**
 * As it is kept here. Of a published project the folder is named with its machine, `laptop:/home/ada/shop`: a folder of that name
 * here is another one, and the repository tells that they belong together. Any other project is known by its folder alone.
 */
function arrivedDialog(
  id: string,
  { host, dialog: plain }: CarriedBody,
): KeptDialog & { readonly dialog: { readonly key: string } } {
  const { dialog, deeds, repository, ...rest } = dialogOfPlain(plain)
  const { project } = dialog
  const there = (path: string) => `${host}:${path}`
  const isNamed = repository !== undefined
  return {
    ...rest,
    dialog: {
      ...dialog,
      key: `${CARRIED}${id}`,
      chatJsonPath: undefined,
      ...(isNamed && project ? { project: there(project) } : {}),
    },
    deeds: deeds.map(({ path, ...deed }) => ({
      ...deed,
      ...(path === undefined ? {} : { path: isNamed && isAbsolute(path) ? there(path) : path }),
    })),
    ...(isNamed
      ? {
          repository: {
            ...repository,
            root: there(repository.root),
            common: `${CARRIED}${there(repository.common)}`,
          },
        }
      : {}),
  }
}

/** Without what only a reader of the file needs. */
function bareReading({
  base: _base,
  seam: _seam,
  waiting: _waiting,
  ...reading
}: Reading): Reading {
  const { title } = reading
  return {
    ...reading,
    ...(title ? { title: redact(title) } : {}),
    marks: reading.marks.map((mark) => ({ ...mark, preview: redact(mark.preview) })),
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:\//i.test(path)
}

interface Parts {
  readonly store: DialogStore
  readonly index: DialogIndex
  readonly deeds: DeedStore
  readonly kept: KeptStore
  readonly keepDays: number
  /** The name of this machine. */
  readonly host: string
  /** From everything that is stored. */
  readonly forget: (dialogs: readonly Dialog[]) => Promise<void>
}

/**
 * Dialogs on their way from one machine of a person to another: what this machine's files hold, and what came from elsewhere and
 * is kept here like a dialog whose file is gone.
 */
export class CarriedDialogs {
  readonly #parts: Parts
  readonly #keepMs: number
  #own = new Map<string, Dialog>()
  #repositories?: Map<string, Repository | undefined>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#keepMs = parts.keepDays * DAY_MS
  }

  async own(): Promise<{ id: string; stamp: string; isRemoved: boolean }[]> {
    const { store } = this.#parts
    const known = await everyDialog(store, {})
    const all = known.filter((dialog) => !isCarried(dialog))
    await this.#dropDoubles(known.filter(isCarried), all)
    const there = all.filter((dialog) => this.#isRecent(dialog))
    const gone = await everyDialog(store, { removed: true })
    const removed = gone.filter((dialog) => !isCarried(dialog))
    this.#own = new Map(there.map((dialog) => [idOf(dialog), dialog]))
    return [
      ...there.map((dialog) => ({ dialog, isRemoved: false })),
      ...removed.map((dialog) => ({ dialog, isRemoved: true })),
    ].map(({ dialog, isRemoved }) => ({
      id: idOf(dialog),
      stamp: `${dialog.size}/${dialog.mtimeMs}`,
      isRemoved,
    }))
  }

  async pack(id: string): Promise<{ group: string; body: unknown } | undefined> {
    const { kept, host } = this.#parts
    const dialog = this.#own.get(id)
    const whole = dialog && (await this.#whole(dialog))
    if (!whole || (whole.turns.length === 0 && whole.deeds.length === 0)) return undefined
    const { lead } = whole
    if (await kept.isForgotten({ ...dialog, lead })) return undefined
    const repository = await this.#repositoryOf(dialog)
    return {
      group: `${dialog.source}/${lead ?? dialog.sessionId}`,
      body: packedForOthers(whole, repository, host),
    }
  }

  async take(id: string, body: unknown): Promise<boolean> {
    const { store, deeds, kept } = this.#parts
    if (!isCarriedBody(body)) return false
    const arrived = arrivedDialog(id, body)
    const { dialog, lead, repository } = arrived
    const { key, sessionId, source, project } = dialog
    if (!this.#isRecent(dialog)) return false
    if (await kept.isForgotten({ key, source, sessionId, lead })) return false
    const leads = await store.findBySession(lead ?? sessionId)
    if (leads.some((known) => known.source === source && !isCarried(known))) return false
    const copies = (await store.findBySession(sessionId)).filter((one) => isCopy(one, dialog))
    if (copies.some(({ mtimeMs }) => mtimeMs >= dialog.mtimeMs)) return false
    await this.#parts.index.drop(copies.map((copy) => copy.key))
    const known = { key, sessionId, source, project, lead, repository }
    await kept.save(arrived)
    await deeds.save([{ ...known, deeds: arrived.deeds, isWhole: true }])
    await store.save([dialog])
    return true
  }

  async drop(id: string): Promise<boolean> {
    const key = `${CARRIED}${id}`
    const isHere = (await this.#parts.kept.find(key)) !== undefined
    if (isHere) await this.#parts.index.drop([key])
    return isHere
  }

  async forgotten(): Promise<string[]> {
    const sessions = await this.#parts.kept.forgottenSessions()
    return sessions.map(({ source, sessionId }) => `${source}/${sessionId}`)
  }

  /** The mark stays also where nothing is here: it may be on its way. */
  async forget(group: string): Promise<boolean> {
    const { store, kept, forget } = this.#parts
    const [name, ...rest] = group.split('/')
    const source = SOURCE_NAMES.find((known) => known === name)
    if (!source) return false
    const sessionId = rest.join('/')
    const here = (await store.findBySession(sessionId)).filter((known) => known.source === source)
    if (here.length > 0) await forget(here)
    await kept.forget([{ key: `${CARRIED}${group}`, source, sessionId }])
    return here.length > 0
  }

  /** An agent's files may be carried between machines by something else too: the file itself knows best. */
  async #dropDoubles(carried: readonly Dialog[], own: readonly Dialog[]): Promise<void> {
    const here = new Set(own.map(({ source, sessionId }) => `${source}/${sessionId}`))
    const doubles = carried.filter(({ source, sessionId }) => here.has(`${source}/${sessionId}`))
    await this.#parts.index.drop(doubles.map(({ key }) => key))
  }

  #isRecent({ mtimeMs }: Dialog): boolean {
    return Date.now() - mtimeMs <= this.#keepMs
  }

  /** From its file; a file that vanished a moment ago leaves what was kept of it. */
  async #whole(dialog: Dialog): Promise<KeptDialog | undefined> {
    const { store, index, deeds, kept } = this.#parts
    const { key, chatJsonPath: path, size, mtimeMs } = dialog
    const source = index.sourceOf(dialog)
    const reading = path === undefined ? undefined : await store.findReading(key)
    if (path === undefined || !source || !reading) return kept.find(key)
    const found = { key, path, size, mtimeMs }
    return wholeDialog({ source, found }, reading, deeds, index.context).catch(() => kept.find(key))
  }

  async #repositoryOf({ project }: Dialog): Promise<Repository | undefined> {
    this.#repositories ??= new Map(
      (await this.#parts.deeds.places()).flatMap((place) =>
        place.repository ? [[place.project, place.repository] as const] : [],
      ),
    )
    return project === undefined ? undefined : this.#repositories.get(project)
  }
}

/** The same file, as two machines have it in different folders. */
function isCopy(one: Dialog, other: Dialog): boolean {
  const fileOf = ({ key }: Dialog) => key.slice(key.lastIndexOf('/'))
  return (
    isCarried(one) &&
    one.key !== other.key &&
    one.source === other.source &&
    fileOf(one) === fileOf(other)
  )
}

/** The same wherever the machine is called another name: where the file is, and whose it is. */
function idOf({ source, key }: Dialog): string {
  return `${source}:${key}`
}
