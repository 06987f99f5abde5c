import type { Answer } from '@secretary-mcp/core/boundary.ts'
import type { FunctionDefinition } from '@secretary-mcp/core/catalogue.ts'
import type { Caller, Effect } from '@secretary-mcp/core/tool.ts'

export interface TaskFacts {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly completed: boolean
}

/** The tools an agent may use, through the one boundary. */
export interface Toolbox {
  readonly definitions: readonly FunctionDefinition[]
  /** Undefined where there is no such tool in the box. */
  effectOf(name: string): Effect | undefined
  /** Whether the person is asked before it runs. Nobody is asked for a yes to what they may not do. */
  asksFirst(name: string, caller: Caller): boolean
  /** A tool's own name, without the prefix that clients see. */
  ownName(name: string): string
  call(name: string, args: unknown, caller: Caller, signal: AbortSignal): Promise<Answer>
  /** The caller's task as it is now. */
  findTask(id: number, caller: Caller): Promise<TaskFacts | undefined>
  /** What a reading tool, by its own name, says; undefined where it fails. */
  look(tool: string, args: object, caller: Caller, signal: AbortSignal): Promise<unknown>
}
