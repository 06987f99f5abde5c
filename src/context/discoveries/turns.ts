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
  /** The turns of those that were read since a moment; those of one dialog come together, in order. */
  turns(caller: Caller, sinceMs: number, signal: AbortSignal): AsyncIterable<FedTurn>
  /** The sessions that went since a moment and are nowhere else. */
  gone(caller: Caller, sinceMs: number, signal: AbortSignal): Promise<string[]>
}
