import type { Caller } from '@secretary-mcp/core/tool.ts'

/** One request of the person and what the agent said to it, as the dialog family tells it. */
export interface FedTurn {
  readonly sessionId: string
  /** From 1 within the session. */
  readonly position: number
  /** Milliseconds. */
  readonly time: number
  readonly request: string
  /** The question that it answers. */
  readonly answers?: string
  /** What the person typed of it, without what was pasted or generated. */
  readonly typed: string
  readonly answer?: string
}

/** A dialog as it is now: one that has grown has another size. */
export interface FedDialog {
  readonly key: string
  readonly sessionId: string
  readonly size: number
  readonly mtimeMs: number
}

/** What the dialog family tells of a project's dialogs. */
export interface DialogFeed {
  /** The number of the last change; it rises with every one, whatever the clock says. */
  latest(caller: Caller, signal: AbortSignal): Promise<number>
  /** The turns of those that changed since a change and are not read yet; those of one dialog come together, in order. */
  turns(
    caller: Caller,
    since: number,
    signal: AbortSignal,
    isRead: (dialog: FedDialog) => boolean,
  ): AsyncIterable<FedTurn>
  /** Whether agents' files are still being read, so that there will be more. */
  isReading(caller: Caller): boolean
  /** The sessions that went since a change and are nowhere else. */
  gone(caller: Caller, since: number, signal: AbortSignal): Promise<string[]>
}
