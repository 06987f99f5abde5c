import type { FunctionDefinition } from '../core/catalogue.ts'
import type { Caller, Effect } from '../core/tool.ts'

export interface ToolOutcome {
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isError: boolean
}

/** The tools an agent may use, through the one boundary. */
export interface Toolbox {
  readonly definitions: readonly FunctionDefinition[]
  /** Undefined where there is no such tool in the box. */
  effectOf(name: string): Effect | undefined
  call(name: string, args: unknown, caller: Caller, signal: AbortSignal): Promise<ToolOutcome>
}
