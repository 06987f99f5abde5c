import type { Answer } from '../core/boundary.ts'
import type { FunctionDefinition } from '../core/catalogue.ts'
import type { Caller, Effect } from '../core/tool.ts'

/** The tools an agent may use, through the one boundary. */
export interface Toolbox {
  readonly definitions: readonly FunctionDefinition[]
  /** Undefined where there is no such tool in the box. */
  effectOf(name: string): Effect | undefined
  call(name: string, args: unknown, caller: Caller, signal: AbortSignal): Promise<Answer>
}
