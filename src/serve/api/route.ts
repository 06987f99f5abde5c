import type * as z from 'zod'
import type { Caller } from '../../core/tool.ts'

export interface RouteRequest<Q, B> {
  readonly user: string
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
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

interface Documented {
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete'
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** What comes back: a schema for each status, none where there is no body. */
  readonly answers: Readonly<Record<number, z.ZodType | undefined>>
}

/** An address of the API as everything sees it: its types end where it is declared. */
export interface Route extends Documented {
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  handle(request: RouteRequest<unknown, unknown>): Promise<RouteAnswer | Response>
}

interface RouteSpec<Q extends z.ZodObject, B extends z.ZodType> extends Documented {
  readonly query?: Q
  readonly body?: B
  handle(request: RouteRequest<z.output<Q>, z.output<B>>): Promise<RouteAnswer | Response>
}

/** The one definition of an address: it is served from here and documented from here. */
export function route<Q extends z.ZodObject, B extends z.ZodType>(spec: RouteSpec<Q, B>): Route {
  return {
    ...spec,
    handle: (request) => spec.handle(request as RouteRequest<z.output<Q>, z.output<B>>),
  }
}
