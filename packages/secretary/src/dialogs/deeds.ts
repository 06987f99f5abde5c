import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { projectNames } from '@secretary-mcp/transcripts/project-path.ts'
import type { DeedStore } from './deeds/deed-store.ts'
import type { OtherClone, SameProjects } from './deeds/work-places.ts'
import type { Dialogs } from './dialogs.ts'
import type { DecisionsAbout, EditNote } from './edit-notes/edit-notes.ts'
import type { Fix } from './experience/fix.ts'
import type { KnownCommand } from './experience/how.ts'
import type { BranchReport } from './ledger/branch-report.ts'
import type { Ledger, LedgerArguments, RequestWork } from './ledger/ledger.ts'
import type { AskedSince, Today } from './today/today.ts'
import type { AskedRequest } from './why/requests-behind.ts'
import type { Why, WhyArguments, WhyLines } from './why/why.ts'

const MAX_CHANGES = 20_000

interface How {
  readonly what: string
  readonly commands: KnownCommand[]
  readonly note?: string
}

interface Fixes {
  readonly fixes: (AskedRequest &
    Omit<Fix, 'deed' | 'changes'> & {
      /** The lines that were changed, as far as the agent's file still has them. */
      readonly changes: { readonly path: string; readonly diff?: string }[]
    })[]
  readonly note?: string
}

/** What happened to the requests, from what the agents were seen to do. Each question loads its own part. */
export class Deeds {
  readonly #dialogs: Dialogs
  readonly #store?: DeedStore
  readonly #decisionsAbout?: DecisionsAbout
  #why?: WhyLines
  /** For those whose dialogs are elsewhere. */
  #whyOthers?: WhyLines

  constructor(dialogs: Dialogs, store: DeedStore | undefined, decisionsAbout?: DecisionsAbout) {
    this.#dialogs = dialogs
    this.#store = store
    this.#decisionsAbout = decisionsAbout
  }

  async why(caller: Caller, args: WhyArguments, signal: AbortSignal): Promise<Result<Why>> {
    const isOwn = this.#store !== undefined && (await this.#dialogs.ready(caller, signal))
    const { WhyLines } = await import('./why/why.ts')
    if (!isOwn) {
      const { isAnyShared } = await import('./sharing/read-from-space.ts')
      if (!(await isAnyShared(this.#dialogs, caller))) return notHere()
      this.#whyOthers ??= new WhyLines(this.#dialogs)
      return this.#whyOthers.ask(caller, args, signal)
    }
    this.#why ??= new WhyLines(this.#dialogs, this.#store)
    const unread = this.#dialogs.index.unread
    const answer = await this.#why.ask(caller, args, signal)
    return answer.value ? Result.ok({ ...answer.value, ...unread }) : answer
  }

  async ledger(
    caller: Caller,
    args: LedgerArguments,
    signal: AbortSignal,
  ): Promise<Result<Ledger>> {
    const fromSpace = await this.#dialogs.fromSpace(caller, args.sessionId, signal)
    if (fromSpace) {
      const { ledgerFromSpace } = await import('./ledger/ledger.ts')
      return ledgerFromSpace(fromSpace, caller, args)
    }
    if (!this.#store) return notHere()
    const { ledger } = await import('./ledger/ledger.ts')
    return ledger({ dialogs: this.#dialogs, store: this.#store }, caller, args, signal)
  }

  /** The requests behind the commits since a base, and the lines that none explains. */
  async branch(
    caller: Caller,
    base: string | undefined,
    signal: AbortSignal,
  ): Promise<BranchReport> {
    const store = this.#store
    if (!store) throw new Failure('not_found', NOT_HERE)
    const { branchReport } = await import('./ledger/branch-report.ts')
    const why = async (file: string, line: number, endLine: number) => {
      try {
        return (await this.why(caller, { file, line, endLine }, signal)).value
      } catch (error) {
        // A file that is too large or not to be shown explains nothing.
        if (error instanceof Failure) return undefined
        throw error
      }
    }
    return branchReport({ dialogs: this.#dialogs, store, why }, caller, base, signal)
  }

  async work(
    caller: Caller,
    asked: { readonly sessionId: string; readonly index: number },
    signal: AbortSignal,
  ): Promise<RequestWork> {
    if (!this.#store) return { changes: [], commands: [] }
    const { requestWork } = await import('./ledger/ledger.ts')
    return requestWork({ dialogs: this.#dialogs, store: this.#store }, caller, asked, signal)
  }

  async today(caller: Caller, since: number, signal: AbortSignal): Promise<Today> {
    const { today, nothing } = await import('./today/today.ts')
    if (!this.#store) return nothing()
    return today({ dialogs: this.#dialogs, store: this.#store }, caller, since, signal)
  }

  async askedSince(
    caller: Caller,
    wanted: { readonly since: number; readonly isOpen: boolean; readonly limit: number },
    signal: AbortSignal,
  ): Promise<AskedSince> {
    if (!this.#store) return { requests: [], total: 0 }
    const { askedSince } = await import('./today/today.ts')
    return askedSince({ dialogs: this.#dialogs, store: this.#store }, caller, wanted, signal)
  }

  async how(caller: Caller, what: string, signal: AbortSignal): Promise<Result<How>> {
    const isReady = this.#store && (await this.#dialogs.ready(caller, signal))
    if (!isReady) return Result.ok({ what, commands: [] })
    const { how } = await import('./experience/how.ts')
    const { unread } = this.#dialogs.index
    return Result.ok({ what, commands: await how(this.#store, caller.project, what), ...unread })
  }

  async fix(caller: Caller, error: string, signal: AbortSignal): Promise<Result<Fixes>> {
    if (!this.#store || !(await this.#dialogs.ready(caller, signal)))
      return Result.ok({ fixes: [] })
    const [{ fixes }, { RequestsBehind }, { changedLinesOf }] = await Promise.all([
      import('./experience/fix.ts'),
      import('./why/requests-behind.ts'),
      import('./ledger/ledger.ts'),
    ])
    const behind = new RequestsBehind(this.#dialogs)
    const { unread } = this.#dialogs.index
    const found = await fixes(this.#store, caller.project, error)
    const withRequests = await Promise.all(
      found.map(async ({ deed, changes, ...fix }) => {
        const position = await behind.positionOf(deed)
        const asked = position > 0 && (await behind.requestOf(`${deed.sessionId}#${position}`))
        if (!asked) return []
        const lines = await changedLinesOf(this.#dialogs, caller, changes, signal)
        return [{ ...asked, ...fix, changes: lines }]
      }),
    )
    return Result.ok({ fixes: withRequests.flat(), ...unread })
  }

  /** The requests for which a file of the project was written or changed, the latest first. */
  async requestsOfFile(caller: Caller, file: string, signal: AbortSignal): Promise<AskedRequest[]> {
    if (!this.#store || !(await this.#dialogs.ready(caller, signal))) return []
    const { requestsThatChanged } = await import('./why/requests-of-file.ts')
    const parts = { dialogs: this.#dialogs, store: this.#store }
    return requestsThatChanged(parts, caller.project, file)
  }

  /** Dialogs in which a file was changed whose path holds this text. */
  async sessionsTouching(caller: Caller, text: string): Promise<ReadonlySet<string>> {
    const kinds = ['create', 'change', 'delete'] as const
    const projects = await this.namesOf(caller.project)
    const found = (await this.#store?.find({ projects, kinds, limit: MAX_CHANGES })) ?? []
    return new Set(
      found.filter(({ path }) => path?.includes(text)).map(({ sessionId }) => sessionId),
    )
  }

  async editNotes(
    caller: Caller,
    path: string,
    signal: AbortSignal,
    spaces?: readonly string[],
  ): Promise<EditNote[]> {
    if (!this.#store || !(await this.#dialogs.ready(caller, signal))) return []
    const { editNotes } = await import('./edit-notes/edit-notes.ts')
    const decisionsAbout = this.#decisionsAbout
    const parts = { dialogs: this.#dialogs, store: this.#store, decisionsAbout }
    return editNotes(parts, caller, path, signal, spaces)
  }

  /** The names of a project, with those of its worktrees and other clones. */
  async namesOf(project: string): Promise<string[]> {
    if (!this.#store) return projectNames(project)
    const { placesOf } = await import('./deeds/work-places.ts')
    const places = await placesOf(this.#store, project)
    return [...new Set([...projectNames(project), ...places.map((place) => place.project)])]
  }

  /** Clones whose dialogs are not shown here, because nobody confirmed that they are the same project. */
  async otherClones(project: string): Promise<OtherClone[]> {
    if (!this.#store) return []
    const { otherClonesOf } = await import('./deeds/work-places.ts')
    return otherClonesOf(this.#store, project)
  }

  get sameProjects(): SameProjects | undefined {
    return this.#store?.sameProjects
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }
}

const NOT_HERE = 'No dialogs of yours were found on this machine'

function notHere(): Result<never> {
  return Result.failure(NOT_HERE, 'not_found')
}
