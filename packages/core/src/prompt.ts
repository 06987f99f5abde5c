import type { Caller } from './tool.ts'

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A prompt as every surface sees it. It may call a tool's logic directly. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  get(
    args: Readonly<Record<string, string>>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<readonly PromptMessage[]>
  /** Suggestions for what is being typed into an argument. */
  complete?(argument: string, typed: string, caller: Caller): Promise<readonly string[]>
}
