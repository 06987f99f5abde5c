import { Result } from '../../core/result.ts'
import type { Caller } from '../../core/tool.ts'
import type { Dialogs } from '../dialogs.ts'
import { type Why, type WhyArguments, WhyLines } from '../why/why.ts'
import type { DeedStore } from './deed-store.ts'

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

  async close(): Promise<void> {
    await this.#store?.close()
  }
}

function notHere(): Result<never> {
  return Result.failure('No dialogs of yours are known on this machine', 'not_found')
}
