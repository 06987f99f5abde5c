import type { Answer } from '@secretary-mcp/core/boundary.ts'
import type { FunctionDefinition } from '@secretary-mcp/core/catalogue.ts'
import type { Result } from '@secretary-mcp/core/result.ts'
import type { Caller, Effect, Shape } from '@secretary-mcp/core/tool.ts'
import type { ModelMessage, RequestedCall } from './chat-model.ts'
import type { Intent } from './rules/rule.ts'

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
  /** Only of calls that changed something. */
  readonly change?: Change
}

/** How a change is taken back, where it can be, and what was there before. */
export interface Change {
  readonly undo?: PendingCall
  readonly before?: Overwritten
}

/** The texts of a task that a change replaced. */
export interface Overwritten {
  readonly id: number
  readonly title?: string
  readonly description?: string | null
}

/** A call that waits for the person's word. */
export interface PendingCall {
  readonly name: string
  readonly args: unknown
}

/** Where an answer stopped to ask the person. Stored with the question; the next message goes on from here. */
export type Waiting =
  | {
      readonly by: 'model'
      readonly question: string
      /** What the model said and was told since the person's message. */
      readonly messages: readonly ModelMessage[]
      /** What it asked for and has not got yet; the first is the one that is asked about. */
      readonly calls: readonly RequestedCall[]
    }
  | {
      readonly by: 'rules'
      readonly question: string
      readonly wants: 'yes' | 'title' | 'task' | 'text'
      readonly intent: Intent
      /** What else the message asked for. */
      readonly rest: readonly Intent[]
    }

export interface Reply {
  readonly text: string
  readonly uses: readonly ToolUse[]
  readonly pending?: PendingCall
  readonly waiting?: Waiting
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
  readonly approve?: (call: PendingCall, question: string) => Promise<boolean>
  /** What the last answer asked; the message may be the reply to it. */
  readonly waiting?: Waiting
  readonly pending?: PendingCall
  /** What takes the last change back, where the message asks for that. */
  readonly undo?: readonly PendingCall[]
  /** The task that was changed last in this conversation. */
  readonly lastTask?: number
}

/** Answers one message. Both the model-driven and the rule-based agent are one of these. */
export interface Agent {
  readonly name: string
  answer(request: AgentRequest): Promise<Reply>
}

export interface TaskFacts {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly completed: boolean
  readonly state?: 'doing' | 'blocked'
  readonly priority?: 'high' | 'low'
  readonly labels?: readonly string[]
  readonly files?: readonly string[]
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
  /** The name under which a tool is called; undefined where it is not offered. */
  nameOf(ownName: string): string | undefined
  call(name: string, args: unknown, caller: Caller, signal: AbortSignal): Promise<Answer>
  /** The caller's task as it is now. */
  findTask(id: number, caller: Caller): Promise<TaskFacts | undefined>
  /** What a reading tool, by its own name, says; undefined where it fails. */
  look(tool: string, args: object, caller: Caller, signal: AbortSignal): Promise<unknown>
}
