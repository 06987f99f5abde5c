import { Result } from '../../core/result.ts'
import type { Caller } from '../../core/tool.ts'
import type { Dialogs } from '../dialogs.ts'
import { fixes } from '../experience/fix.ts'
import { how } from '../experience/how.ts'
import { type Ledger, type LedgerArguments, ledger } from '../ledger/ledger.ts'
import { projectNames } from '../project-path.ts'
import { RequestsBehind } from '../why/requests-behind.ts'
import { type Why, type WhyArguments, WhyLines } from '../why/why.ts'
import type { DeedStore } from './deed-store.ts'
import { placesOf } from './work-places.ts'

/** What became of the requests, from what the agents were seen to do. */
export class Deeds {
  readonly #dialogs: Dialogs
  readonly #store?: DeedStore
  readonly #why?: WhyLines

  constructor(dialogs: Dialogs, store: DeedStore | undefined) {
    this.#dialogs = dialogs
    this.#store = store
    this.#why = store && new WhyLines(dialogs, store)
  }

  async why(caller: Caller, args: WhyArguments, signal: AbortSignal): Promise<Result<Why>> {
    if (!this.#why || !(await this.#dialogs.ready(caller, signal))) return notHere()
    return this.#why.ask(caller, args, signal)
  }

  async ledger(
    caller: Caller,
    args: LedgerArguments,
    signal: AbortSignal,
  ): Promise<Result<Ledger>> {
    if (!this.#store) return notHere()
    return ledger({ dialogs: this.#dialogs, store: this.#store }, caller, args, signal)
  }

  async how(caller: Caller, what: string, signal: AbortSignal) {
    const isReady = this.#store && (await this.#dialogs.ready(caller, signal))
    return Result.ok({
      what,
      commands: isReady ? await how(this.#store, caller.project, what) : [],
    })
  }

  async fix(caller: Caller, error: string, signal: AbortSignal) {
    if (!this.#store || !(await this.#dialogs.ready(caller, signal)))
      return Result.ok({ fixes: [] })
    const behind = new RequestsBehind(this.#dialogs)
    const found = await fixes(this.#store, caller.project, error)
    const told = await Promise.all(
      found.map(async ({ deed, ...fix }) => {
        const position = await behind.positionOf(deed)
        const asked = position > 0 && (await behind.requestOf(`${deed.sessionId}#${position}`))
        return asked ? [{ ...asked, ...fix }] : []
      }),
    )
    return Result.ok({ fixes: told.flat() })
  }

  /** The names of a project, with those of its worktrees and other clones. */
  async namesOf(project: string): Promise<string[]> {
    const places = this.#store ? await placesOf(this.#store, project) : []
    return [...new Set([...projectNames(project), ...places.map((place) => place.project)])]
  }

  async close(): Promise<void> {
    await this.#store?.close()
  }
}

function notHere(): Result<never> {
  return Result.failure('No dialogs of yours are known on this machine', 'not_found')
}
