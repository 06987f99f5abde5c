import type { Caller } from '@secretary-mcp/core/tool.ts'

/** Lines of another family, most important first, and how many there are in all. */
export interface RecallLines {
  readonly lines: readonly string[]
  readonly total: number
  /** The name under which clients know the tool that gives the rest. */
  readonly tool?: string
}

/** With `spaces`, only what comes from them and what is the caller's own. */
type Lines = (
  caller: Caller,
  limit: number,
  signal: AbortSignal,
  spaces?: readonly string[],
) => Promise<RecallLines>

/** What the other families add to a recall. Each may be absent, and may fail without harm to the rest. */
export interface RecallPorts {
  readonly openTasks?: Lines
  readonly pinned?: Lines
  readonly rules?: Lines
  readonly decisions?: Lines
  readonly files?: Lines
}
