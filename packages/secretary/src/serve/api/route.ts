import type { Caller } from '@secretary-mcp/core/tool.ts'
import type * as z from 'zod'

export interface RouteRequest<P, Q, B> {
  readonly user: string
  readonly caller: Caller
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly signal: AbortSignal
  readonly headers: Headers
}

export interface RouteAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'
type Answers = Readonly<Record<number, z.ZodType | undefined>>

/** What every refusal looks like, whatever was asked. */
export interface Refusal extends RouteAnswer {
  readonly status: 400 | 403 | 404 | 409 | 429 | 503
  readonly body: { readonly error: string; readonly message: string }
}

/** What a route may answer: a body that its schema describes, a refusal, or a stream. */
type AnswerTo<A extends Answers> =
  | { [S in keyof A & number]: { readonly status: S } & BodyOf<A[S]> }[keyof A & number]
  | Refusal
  | Response
type BodyOf<S> = S extends z.ZodType
  ? { readonly body: Sendable<z.input<S>> }
  : { readonly body?: undefined }
/** What is only written out may be read-only. */
type Sendable<T> = T extends (infer E)[]
  ? readonly Sendable<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Sendable<T[K]> }
    : T

/** The names in braces of a path. */
export type ParamsOf<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : object

interface Declared<M, P, Q, B, A> {
  readonly method: M
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: P
  readonly tag: string
  readonly summary: string
  readonly query?: Q
  readonly body?: B
  /** What comes back: a schema for each status, none where there is no body. */
  readonly answers: A
}

/** An address of the API. Its types are for its callers; whoever serves it sees a `Route`. */
export interface TypedRoute<M, P, Q, B, A> extends Declared<M, P, Q, B, A> {
  handle(request: RouteRequest<unknown, unknown, unknown>): Promise<RouteAnswer | Response>
}
export type Route = TypedRoute<Method, string, z.ZodObject, z.ZodType, Answers>

interface RouteSpec<M, P, Q, B, A extends Answers> extends Declared<M, P, Q, B, A> {
  handle(
    request: RouteRequest<ParamsOf<P>, z.output<Q>, z.output<B>>,
  ): Promise<AnswerTo<NoInfer<A>>>
}

/** The one definition of an address: served, documented and called by its types from here. */
export function route<
  const M extends Method,
  const P extends string,
  const A extends Answers,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<M, P, Q, B, A>): TypedRoute<M, P, Q, B, A> {
  type Request = Parameters<typeof spec.handle>[0]
  return { ...spec, handle: (request) => spec.handle(request as Request) }
}
