import type * as z from 'zod'
import type { JsonSchema } from './json-schema.ts'
import type { Log } from './log.ts'
import type { Result } from './result.ts'
import type { ToolArguments } from './tool-arguments.ts'

/** An operator changes what all users share and sees the whole; a member changes and sees their own. */
export type Role = 'operator' | 'member'

export const ROLES = ['operator', 'member'] as const

/** What a call does to the world: gives the MCP hints, the agent's approval step and the CLI's confirmation. */
export type Effect = 'read' | 'write' | 'destroy'

/** Who calls, and where they are. */
export interface Caller {
  readonly user: string
  /** A member, where nobody says. */
  readonly role?: Role
  /** Absolute path of the project's root. */
  readonly project: string
  /** The dialog or connection the call belongs to, where it is known. */
  readonly session?: string
  /** The dialog the call comes from, where its agent told which. */
  readonly dialog?: string
  /** Name of the client program, as it announced itself. */
  readonly client?: string
}

/** The web page, which looks on: what it calls is counted apart from what agents call. */
export const PAGE_CLIENT = 'secretary-page'

export type Progress = (done: number, total?: number, message?: string) => void

/** What a tool's function gets besides its arguments. */
export interface ToolCall<S> {
  readonly service: S
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly log: Log
  readonly progress: Progress
}

/** A family's JSON shape of one outcome. */
export interface Shape {
  readonly body: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

interface Example {
  readonly args: Readonly<Record<string, unknown>>
  /** What the example shows, in one line. */
  readonly shows: string
}

/** Each family's service by the family's name; `Family.serving` makes the entries. */
export type Services = ReadonlyMap<string, unknown>

/** A tool as every surface sees it: data and one function. Its generics end where it is declared. */
export interface Tool {
  readonly name: string
  readonly family: string
  /** Beats the default prefix; the empty string turns it off. */
  readonly prefix?: string
  readonly title: string
  readonly effect: Effect
  readonly idempotent: boolean
  /** It changes what all users share: only an operator may call it. */
  readonly isOperators: boolean
  /** The whole description in the compact profile; its first line says what the tool does. */
  readonly description: string
  /** In the full profile instead of what follows the first line: use cases, valid values, what comes back. */
  readonly about?: string
  /** How to call it in general, as code. */
  readonly usage?: string
  readonly examples: readonly Example[]
  readonly arguments: ToolArguments
  /** JSON schema of the shaped body of a success. */
  readonly outputSchema: JsonSchema
  readonly limitPerMinute?: number
  /** How long a call may take at most; one that takes longer is told of while it runs. */
  maximumMs?(args: unknown): number
  run(args: unknown, call: ToolCall<Services>): Result | Promise<Result>
  shape(result: Result): Shape
}

/** The same with its types, for whoever calls it by them. */
export interface DeclaredTool<
  N extends string = string,
  A extends z.ZodRawShape = z.ZodRawShape,
  R = unknown,
> extends Tool {
  readonly name: N
  readonly arguments: ToolArguments<A>
  /** Schema of the value of a success. */
  readonly result: z.ZodType<R>
}
export type ArgumentsOf<T extends DeclaredTool> = z.input<T['arguments']['schema']>
export type ValueOf<T extends DeclaredTool> = z.output<T['result']>

/** The contract between a tool's file and its family. */
export interface ToolSpec<S, N extends string, A extends z.ZodRawShape, R> {
  readonly name: N
  readonly title: string
  readonly effect: Effect
  readonly idempotent?: boolean
  readonly isOperators?: boolean
  readonly prefix?: string
  readonly description: string
  readonly about?: string
  readonly usage?: string
  readonly examples: readonly Example[]
  readonly arguments: ToolArguments<A>
  /** Schema of the value of a success; the family's envelope decides how it is wrapped. */
  readonly result: z.ZodType<R>
  readonly limitPerMinute?: number
  maximumMs?(args: z.output<z.ZodObject<A>>): number
  run(args: z.output<z.ZodObject<A>>, call: ToolCall<S>): Result<R> | Promise<Result<R>>
}

/** The default prefix, and the prefixes of families for which the installation chose another one. */
export interface Prefixes {
  readonly fallback: string
  readonly families?: Readonly<Record<string, string>>
}

/** What an installation chose for a family beats a tool's own prefix, which beats the default; the empty one leaves the name alone. */
export function prefixedName(
  { name, prefix, family }: NamedTool,
  { fallback, families = {} }: Prefixes,
): string {
  const chosen = families[family] ?? prefix ?? fallback
  return chosen === '' ? name : `${chosen}_${name}`
}

interface NamedTool {
  readonly name: string
  readonly family: string
  readonly prefix?: string
}
