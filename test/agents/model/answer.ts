/** What the model does next: says something, or calls a tool that the agent offers. */
export interface Answer {
  readonly say?: string
  /** The tool's name, or the end of it: agents put the server's name in front. */
  readonly call?: string
  readonly input?: object
  /** How large the model says the request was: agents compact by it. */
  readonly inputTokens?: number
  /** Nothing is answered before this: the test does something while the agent waits. */
  readonly after?: Promise<unknown>
  /** Meant for the requests that this fits, where a helper asks at the same time as its lead. */
  readonly fits?: (words: string) => boolean
  /** Told once it was given. */
  readonly given?: () => void
}

/** An answer, bound to what the request offered. */
export interface Reply {
  readonly text: string
  readonly call?: { readonly id: string; readonly tool: OfferedTool; readonly input: object }
  readonly inputTokens: number
}

export interface OfferedTool {
  readonly name: string
  /** Where an API groups tools: the group's name. */
  readonly group?: string
  /** Takes a text instead of an object. */
  readonly isFreeform?: boolean
}

export type Body = Readonly<Record<string, unknown>>

/** One vendor's way to ask a model. */
export interface Dialect {
  fits(path: string): boolean
  offered(body: Body): OfferedTool[]
  /** What is asked beside the dialog, such as a count of tokens: answered at once, out of turn. */
  aside?(path: string, body: Body): object | undefined
  isStreamed(path: string, body: Body): boolean
  whole(reply: Reply, body: Body): object
  /** Server-sent events, each with its name where the vendor names them. */
  events(reply: Reply, body: Body): readonly { readonly name?: string; readonly data: unknown }[]
}

export const outputTokens = 20

export function listOf(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : []
}
