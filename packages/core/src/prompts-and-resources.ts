import type { Caller } from './tool.ts'

interface PromptArgument {
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

export interface ResourceEntry {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType: string
}

interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
}

/** Documents under one URI scheme. */
export interface ResourceProvider {
  /** Without the colon, such as `guide`. */
  readonly scheme: string
  readonly templates: readonly ResourceTemplate[]
  list(caller: Caller): Promise<readonly ResourceEntry[]>
  /** Undefined where there is no such document. */
  read(
    uri: string,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ readonly mimeType: string; readonly text: string } | undefined>
  complete?(
    template: string,
    variable: string,
    typed: string,
    caller: Caller,
  ): Promise<readonly string[]>
}
