import type { FunctionDefinition } from '@secretary-mcp/core/catalogue.ts'

/** A tool call as the model wrote it: the arguments may be broken JSON. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  readonly argumentsText: string
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly calls?: readonly RequestedCall[]
    }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string }

export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly RequestedCall[]
}

export interface ModelQuestion {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly FunctionDefinition[]
  readonly signal: AbortSignal
  /** Gets the answer's text piece by piece. */
  onText(delta: string): void
}

/** What the agent needs of a language model, whoever serves it. */
export interface ChatModel {
  readonly name: string
  ask(question: ModelQuestion): Promise<ModelAnswer>
}

export type ModelTrouble = 'unreachable' | 'slow' | 'rate_limited' | 'refused' | 'nonsense'

/** The model did not answer, after every retry. The text is ours and fit for the person. */
export class ModelError extends Error {
  readonly trouble: ModelTrouble

  constructor(trouble: ModelTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ModelError'
    this.trouble = trouble
  }
}
