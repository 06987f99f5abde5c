import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { everyDialog } from '../dialog-store.ts'
import type { Dialogs } from '../dialogs.ts'
import { askedProject, isPartOf } from './project-name.ts'
import type { RequestSharing, SharingSpaces } from './request-sharing.ts'
import type { SharedRequestStore, StandingShare } from './sharing-store.ts'

interface Parts {
  readonly dialogs: Pick<Dialogs, 'store' | 'onChange'>
  readonly sharing: RequestSharing
  readonly store: SharedRequestStore
  readonly spaces: SharingSpaces
  /** Whose dialogs these are. */
  readonly owner: Caller
  readonly log: Log
}

/** An agent writes many lines for one request: they are shared together. */
const QUIET_MS = 2_000

/** Shares the later dialogs of projects for which the person said so, as they are read. */
export class StandingSharing {
  readonly #parts: Parts
  readonly #ending = new AbortController()
  /** The change up to which everything that was to be shared is. */
  #seenUntil = 0
  #timer?: NodeJS.Timeout
  #running?: Promise<void>
  #stopListening?: () => void

  constructor(parts: Parts) {
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
