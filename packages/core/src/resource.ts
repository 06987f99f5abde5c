import type { Caller } from './tool.ts'

export interface ResourceEntry {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType: string
}

export interface ResourceTemplate {
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
