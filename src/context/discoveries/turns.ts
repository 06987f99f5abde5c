import type { Caller } from '../../core/tool.ts'

/** One request of the person and what the agent said to it, as the dialog family tells it. */
export interface FedTurn {
  readonly sessionId: string
  /** From 1 within the session. */
  readonly position: number
  /** Milliseconds. */
  readonly time: number
  readonly request: string
  readonly answer?: string
}

/** What the dialog family tells of a project's dialogs. */
export interface DialogFeed {
  /** The number of the last change; it rises with every one, whatever the clock says. */
  latest(caller: Caller, signal: AbortSignal): Promise<number>
  /** The turns of those that were read since a change; those of one dialog come together, in order. */
  turns(caller: Caller, since: number, signal: AbortSignal): AsyncIterable<FedTurn>
  /** The sessions that went since a change and are nowhere else. */
  gone(caller: Caller, since: number, signal: AbortSignal): Promise<string[]>
}
