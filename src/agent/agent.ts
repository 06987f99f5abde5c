import type { Result } from '../core/result.ts'
import type { Caller, Shape } from '../core/tool.ts'

/** What an agent says and does while it answers. */
export type AgentEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'tool'; readonly name: string; readonly args: unknown }
  | { readonly type: 'tool_result'; readonly name: string; readonly isError: boolean }

export interface ToolUse {
  readonly name: string
  readonly args: unknown
  readonly result: Result
  /** In the shape of the tool's family. */
  readonly body: Shape['body']
}

/** A destroying call that waits for the person's word. */
export interface PendingCall {
  readonly name: string
  readonly args: unknown
}

export interface Turn {
  readonly text: string
  readonly uses: readonly ToolUse[]
  readonly pending?: PendingCall
}

export interface PastMessage {
  readonly sender: 'user' | 'ai'
  readonly content: string
}

export interface AgentRequest {
  readonly message: string
  /** Oldest first, without the new message. */
  readonly history: readonly PastMessage[]
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly onEvent: (event: AgentEvent) => void
  /** Asks the person before something is destroyed; undefined where nobody can be asked right now. */
  readonly approve?: (call: PendingCall) => Promise<boolean>
}

/** Answers one message. Both the model-driven and the rule-based agent are one of these. */
export interface Agent {
  readonly name: string
  answer(request: AgentRequest): Promise<Turn>
}
