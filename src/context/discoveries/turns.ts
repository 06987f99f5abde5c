import type { Caller } from '../../core/tool.ts'

/** One request of the person and what the agent said to it, as the dialog family tells it. */
export interface Turn {
  readonly sessionId: string
  /** From 1 within the session. */
  readonly position: number
  /** Milliseconds. */
  readonly time: number
  readonly request: string
  readonly answer?: string
}

/** The turns of a project's dialogs that were read since a moment; those of one dialog come together, in order. */
export type Turns = (caller: Caller, sinceMs: number, signal: AbortSignal) => AsyncIterable<Turn>
