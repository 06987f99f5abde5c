import { homedir } from 'node:os'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { isNeverShown } from '@secretary-mcp/core/files/excluded-paths.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Deed, GitAct } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'
import { projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import type { DeedStore } from '../deeds/deed-store.ts'
import { byPosition, deedsOfDialog, type PlacedDeed } from '../deeds/deeds-of-dialog.ts'
import { everyDialog } from '../dialog-store.ts'
import type { DialogTexts } from '../dialog-texts.ts'
import type { Dialogs } from '../dialogs.ts'
import type {
  DialogInSpace,
  RequestToShare,
  SharedRequestStore,
  StandingShare,
} from '../store/requests-in-spaces.ts'
import {
  askedProject,
  isPartOf,
  type NamedProject,
  namedProject,
  pathInRepository,
} from './project-name.ts'

const NAME = '[^\\\\/\\s"\'`:;,<>|(){}[\\]]+'
/** Where systems keep them; before the first slash there is no other part of a path, so no address of a site is meant. */
const HOMES = new RegExp(
  [
    `[A-Za-z]:[\\\\/]+[Uu]sers[\\\\/]+${NAME}`,
    `(?<![\\w.~-])(?:file://)?(?:/mnt)?/[a-z]/Users/${NAME}`,
    `(?<![\\w.~-])(?:file://)?/Users/${NAME}`,
    `(?<![\\w.~-])(?:file://)?(?:/[\\w.-]+)?/home/${NAME}`,
    '(?<![\\w.~/-])(?:file://)?/root(?![\\w-])',
  ].join('|'),
  'g',
)
const SHORTEST = 4

/** An agent writes many lines for one request: they are shared together. */
const QUIET_MS = 2_000

const MAX_REQUEST = 100_000
const MAX_ANSWER = 2_000
/** A secret that the end would cut through is seen whole. */
const SEEN_OF_ANSWER = 2 * MAX_ANSWER
const MAX_DEEDS = 2_000

interface NamedSpace {
  readonly id: string
  readonly name: string
}

/** The spaces in which a caller may do something. */
export interface SharingSpaces {
  require(
    caller: Caller,
    idOrName: string,
    act: 'read' | 'contribute' | 'manage',
  ): Promise<NamedSpace>
}

interface Parts {
  readonly dialogs: Pick<Dialogs, 'require' | 'texts'>
  readonly deeds?: DeedStore
  readonly store: SharedRequestStore
  readonly spaces: SharingSpaces
}

/** The person shares what they asked and what was done for it, one dialog or those to come, and takes it back. */
export class RequestSharing {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** As the dialog is now; what is asked in it later is shared when it is shared again. */
  async share(
    caller: Caller,
    sessionId: string,
    space: string,
    signal: AbortSignal,
  ): Promise<{ sessionId: string; space: string; requests: number }> {
    const dialog = await this.#parts.dialogs.require(caller, sessionId, signal)
    const project = await this.projectOf(dialog, caller.project)
    const asked = project ? { ...caller, project: askedProject(project) } : caller
    const { id, name } = await this.#parts.spaces.require(asked, space, 'contribute')
    if (!project)
      throw new Failure(
        'no_project',
        'The folder of this dialog is not known, so nobody could find it',
      )
    const requests = (await this.shareWith(caller.user, dialog, project, id)) ?? 0
    if (requests === 0) throw new Failure('not_found', 'Nothing was asked in this dialog yet')
    return { sessionId: dialog.sessionId, space: name, requests }
  }

  async shareWith(
    user: string,
    dialog: Dialog,
    project: NamedProject,
    space: string,
    options: { readonly isStanding?: boolean } = {},
  ): Promise<number | undefined> {
    const { dialogs, deeds, store } = this.#parts
    const requests = await requestsToShare({ texts: dialogs.texts, deeds }, dialog, project)
    if (requests.length === 0) return 0
    const { sessionId, source } = dialog
    const shared = { user, space, sessionId, project: project.repository, source, requests }
    return store.share(shared, now(), options)
  }

  /** From one space or, without one, from all of them. */
  async takeBack({ user }: Caller, sessionId: string, space?: string): Promise<void> {
    const taken = await this.#parts.store.takeBack(user, { sessions: [sessionId], space }, now())
    if (taken === 0) throw new Failure('not_found', 'You do not share this dialog')
  }

  /** What somebody else shares, out of a space whose operator the caller is. A standing share does not bring it back. */
  async remove(
    caller: Caller,
    { sessionId, space, by }: { sessionId: string; space: string; by: string },
  ): Promise<void> {
    const { id, name } = await this.#parts.spaces.require(caller, space, 'manage')
    const taken = { sessions: [sessionId], space: id, remover: caller.user }
    if ((await this.#parts.store.takeBack(by, taken, now())) === 0)
      throw new Failure('not_found', `${by} does not share this dialog with ${name}`)
  }

  /** For dialogs that are removed for good. */
  async forget(user: string, sessions: readonly string[]): Promise<void> {
    await this.#parts.store.takeBack(user, { sessions, isForgotten: true }, now())
  }

  /** From now on, for the dialogs of the caller's project that begin later. */
  async keepSharing(caller: Caller, space: string): Promise<{ space: string }> {
    const { id, name } = await this.#parts.spaces.require(caller, space, 'contribute')
    const { project } = namedProject(caller.project)
    await this.#parts.store.keepSharing(caller.user, project, id, now())
    return { space: name }
  }

  /** With `isRemoved`, what was shared of the project's repository goes too, at once. */
  async stopSharing(
    { user, project: folder }: Caller,
    space: string,
    { isRemoved = false } = {},
  ): Promise<{ removed: number }> {
    const { store } = this.#parts
    const { project, repository } = namedProject(folder)
    const wasSharing = await store.stopSharing(user, project, space)
    const removed = isRemoved
      ? await store.takeBack(user, { space, project: repository }, now())
      : 0
    if (!wasSharing && removed === 0)
      throw new Failure('not_found', 'You do not share the requests of this project there')
    return { removed }
  }

  /** What a person shares, and of which projects they share what comes. */
  async sharedBy({ user, project }: Caller): Promise<{
    dialogs: DialogInSpace[]
    standing: (StandingShare & { here: boolean })[]
  }> {
    const { store } = this.#parts
    const here = namedProject(project).project
    const standing = await store.standing(user)
    return {
      dialogs: await store.sharedBy(user),
      standing: standing.map((one) => ({ ...one, here: isPartOf(here, one.project) })),
    }
  }

  /** What a space has, for somebody who may read it. */
  async inSpace(
    caller: Caller,
    space: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ dialogs: DialogInSpace[]; total: number }> {
    const { id } = await this.#parts.spaces.require(caller, space, 'read')
    return this.#parts.store.inSpace(caller.user, id, page)
  }

  /** Undefined where the source does not say in which folder the dialog took place. */
  async projectOf({ project }: Dialog, here?: string): Promise<NamedProject | undefined> {
    if (project === undefined) return undefined
    const isHash = project.startsWith('sha256:')
    if (isHash) return here && projectNames(here).includes(project) ? namedProject(here) : undefined
    const places = (await this.#parts.deeds?.places()) ?? []
    const known = places.find((place) => place.project === project)
    return namedProject(project, known?.repository)
  }
}

function now(): string {
  return new Date().toISOString()
}

type Clean = (text: string) => string

/** What others get to see of a dialog: no secret, no path of this machine, nothing that was done outside of the repository. */
async function requestsToShare(
  { texts, deeds }: { readonly texts: DialogTexts; readonly deeds?: DeedStore },
  dialog: Dialog,
  project: NamedProject,
): Promise<RequestToShare[]> {
  const marks = await texts.marks(dialog)
  const done = byPosition(await deedsOfDialog(deeds, dialog, marks))
  const folders = [project.root, ...(dialog.project ? [dialog.project] : [])]
  // PostgreSQL has no room for NUL.
  const clean: Clean = (text) =>
    withoutPlaces(redact(text), folders, homedir()).replaceAll('\0', '')
  const requests: RequestToShare[] = []
  for await (const turn of texts.turns(dialog, { longestAnswer: SEEN_OF_ANSWER })) {
    const own = done.get(turn.position) ?? []
    requests.push({
      ...said(turn, dialog, clean),
      deeds: own.flatMap((deed) => sharedDeed(deed, project, clean)).slice(0, MAX_DEEDS),
    })
  }
  return requests
}

function said(
  { position, time, request, answer }: Turn,
  { firstSeen }: Dialog,
  clean: Clean,
): Omit<RequestToShare, 'deeds'> {
  return {
    position,
    askedAt: dateOf(time, firstSeen),
    request: cutText(clean(request), MAX_REQUEST),
    ...(answer ? { answer: cutText(clean(answer), MAX_ANSWER) } : {}),
  }
}

/** None where it touched a file outside, or one that nobody is shown. */
function sharedDeed(deed: PlacedDeed, project: NamedProject, clean: Clean): Deed[] {
  const { kind, at, place, time, lines, commandKind, exit, runs, git } = deed
  const path = deed.path === undefined ? undefined : pathInRepository(deed.path, project)
  if (deed.path !== undefined && (path === undefined || isNeverShown(path))) return []
  return [
    {
      kind,
      at,
      place,
      time,
      ...(path === undefined ? {} : { path: redact(path) }),
      ...(lines ? { lines } : {}),
      ...(deed.text ? { text: clean(deed.text) } : {}),
      ...(commandKind ? { commandKind } : {}),
      ...(exit === undefined ? {} : { exit }),
      ...(deed.tail ? { tail: clean(deed.tail) } : {}),
      // Where a program ran is a place on this machine.
      ...(runs
        ? { runs: runs.map(({ folder: _, ...run }) => ({ ...run, command: clean(run.command) })) }
        : {}),
      ...(git ? { git: git.flatMap((act) => sharedAct(act, project)) } : {}),
    },
  ]
}

/** Only what git did in the repository itself, with paths in it. */
function sharedAct({ folder, paths, ...act }: GitAct, project: NamedProject): GitAct[] {
  if (folder === undefined || (folder !== '' && pathInRepository(folder, project) === undefined))
    return []
  const inside = paths?.flatMap((path) => pathInRepository(path, project) ?? [])
  return [
    {
      ...act,
      folder: '',
      ...(inside ? { paths: inside.filter((path) => !isNeverShown(path)) } : {}),
    },
  ]
}

function dateOf(time: number, otherwise: number): string {
  const known = [time, otherwise].find((ms) => Number.isFinite(ms) && Math.abs(ms) < 8e15) ?? 0
  return new Date(known).toISOString()
}

interface FollowParts {
  readonly dialogs: Pick<Dialogs, 'store' | 'onChange'>
  readonly sharing: RequestSharing
  readonly store: SharedRequestStore
  readonly spaces: SharingSpaces
  /** Whose dialogs these are. */
  readonly owner: Caller
  readonly log: Log
}

/** Shares the later dialogs of projects for which the person said so, as they are read. */
export class StandingSharing {
  readonly #parts: FollowParts
  readonly #ending = new AbortController()
  /** The change up to which everything that was to be shared is. */
  #seenUntil = 0
  #timer?: NodeJS.Timeout
  #running?: Promise<void>
  #stopListening?: () => void

  constructor(parts: FollowParts) {
    this.#parts = parts
  }

  /** For as long as a server runs. */
  follow(): void {
    this.#stopListening ??= this.#parts.dialogs.onChange(() => this.#soon())
    this.#soon()
  }

  /** Everything that began since the person said so and has changed since it was last shared. */
  async catchUp(): Promise<void> {
    const { dialogs, store, owner } = this.#parts
    // Before the shares: a dialog that is stored after this is looked at the next time.
    const latest = await dialogs.store.latestChange()
    const standing = await store.standing(owner.user)
    if (standing.length === 0) return
    const sharedAt = new Map(
      (await store.sharedBy(owner.user)).map(({ sessionId, space, sharedAt: at }) => [
        `${space}\0${sessionId}`,
        Date.parse(at),
      ]),
    )
    let isDone = true
    for (const share of standing) {
      const isFresh = ({ sessionId, mtimeMs }: Dialog) =>
        mtimeMs >= (sharedAt.get(`${share.space}\0${sessionId}`) ?? 0)
      await this.#shareAll(share, isFresh).catch((error: unknown) => {
        isDone = false
        this.#failed(error)
      })
    }
    if (isDone) this.#seenUntil = latest
  }

  async close(): Promise<void> {
    this.#ending.abort()
    clearTimeout(this.#timer)
    this.#stopListening?.()
    await this.#running
  }

  async #shareAll(
    { spaceId, project, since }: StandingShare,
    isFresh: (dialog: Dialog) => boolean,
  ): Promise<void> {
    const { dialogs, sharing, spaces, owner } = this.#parts
    const from = Date.parse(since)
    const later = await everyDialog(dialogs.store, {
      asked: true,
      since: from,
      storedSince: this.#seenUntil,
    })
    for (const dialog of later.filter((one) => one.firstSeen >= from && isFresh(one))) {
      if (this.#ending.signal.aborted) return
      const named = await sharing.projectOf(dialog, owner.project)
      if (!named || !isPartOf(named.project, project)) continue
      // Somebody may have lost their role since; so it is asked each time.
      const asked = { ...owner, project: askedProject(named) }
      await spaces.require(asked, spaceId, 'contribute')
      await sharing.shareWith(owner.user, dialog, named, spaceId, { isStanding: true })
    }
  }

  #soon(): void {
    if (this.#timer || this.#ending.signal.aborted) return
    this.#timer = setTimeout(() => {
      // What changes while it runs is for the next time.
      this.#timer = undefined
      this.#running = (this.#running ?? Promise.resolve())
        .then(() => this.catchUp())
        .catch((error: unknown) => this.#failed(error))
    }, QUIET_MS).unref()
  }

  /** The next change tries again. Whoever lost their role shares nothing, which is no fault. */
  #failed(error: unknown): void {
    const { log } = this.#parts
    if (this.#ending.signal.aborted) return
    if (error instanceof Failure) log.debug({ err: error }, 'requests are not shared')
    else log.warn({ err: error }, 'requests could not be shared just now')
  }
}

/** Text without what only this machine has: its project's folders become relative, home folders `~`. */
export function withoutPlaces(text: string, folders: readonly string[], home: string): string {
  let clean = text
  // Longer ones first: a folder may be inside another.
  for (const folder of longestFirst(folders)) {
    const inside = new RegExp(`${spelled(folder)}(?:([\\\\/]+)(?=[\\w.@-])|(?![\\w-]))`, 'gi')
    clean = clean
      .replace(inside, (_whole, slash: string | undefined) => (slash ? '' : '.'))
      .replaceAll(dashed(folder), '-')
  }
  for (const one of longestFirst([home]))
    clean = clean
      .replace(new RegExp(`${spelled(one)}(?![\\w-])`, 'gi'), '~')
      .replaceAll(dashed(one), '-')
  return clean.replace(HOMES, '~').replace(/(?<!\w)-(?:home|Users)-\w+/g, '-')
}

function longestFirst(folders: readonly string[]): string[] {
  return [...new Set(folders)]
    .filter((folder) => folder.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
}

/** With slashes of either kind, and twice where the text is JSON. */
function spelled(folder: string): string {
  const parts = folder.split(/[\\/]+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // A run of slashes begins once only.
  const start = parts[0] === '' ? '(?<![\\w.~\\\\/-])' : '(?<![\\w.~-])'
  return `${start}(?:file:\\/\\/)?${parts.join('[\\\\/]+')}`
}

/** As agents name folders after a project's path. */
function dashed(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9-]/g, '-')
}
