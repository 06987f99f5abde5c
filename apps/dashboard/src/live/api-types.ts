import type { ParamsOf } from '@secretary-mcp/secretary/serve/api/route.ts'
import type { ApiRoute } from '@secretary-mcp/secretary/serve/api/routes.ts'
import type * as z from 'zod'

/** The server's routes by what a call of one is named here, such as `get /api/v1/tasks`. */
type Routes = { [R in ApiRoute as `${R['method']} ${R['path']}`]: R }
export type Address = keyof Routes

type Done<A> = A[keyof A & (200 | 201 | 204)]
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
export type AnswerOf<K extends Address> = Output<Done<Routes[K]['answers']>>

export interface Sent {
  readonly signal?: AbortSignal
  /** Lets the browser finish the request after the page is gone. */
  readonly keepalive?: boolean
}

type Nothing = Record<never, never>
type Needed<Name extends string, T> = Nothing extends T ? { [N in Name]?: T } : { [N in Name]: T }
type BodyOf<B> = B extends z.ZodUndefined ? { readonly body?: undefined } : { body: z.input<B> }
/** As the server gets it, after it has made numbers and flags of the text in the address. */
type QueryOf<Q> = { readonly [N in keyof z.input<Q>]: z.output<Q>[N & keyof z.output<Q>] }
type Parameters<P> = { readonly [N in keyof ParamsOf<P>]: string | number }

type Given<R extends ApiRoute> = Sent &
  Needed<'params', Parameters<R['path']>> &
  Needed<'query', QueryOf<NonNullable<R['query']>>> &
  BodyOf<NonNullable<R['body']>>

/** What a call must be given besides its address. */
export type GivenFor<K extends Address> =
  Nothing extends Given<Routes[K]> ? [given?: Given<Routes[K]>] : [given: Given<Routes[K]>]
