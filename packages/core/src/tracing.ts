export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Which duration a piece of work counts for. */
export type Measure =
  | 'http.server.request.duration'
  | 'mcp.server.operation.duration'
  | 'db.client.operation.duration'

export interface Work {
  readonly name: string
  readonly measure: Measure
  readonly attributes: Attributes
  /** Where the caller's own trace stands, as W3C's `traceparent` says it. */
  readonly parent?: string
}

export interface OpenSpan {
  /** What is known only later. */
  set(attributes: Attributes): void
}

/** Tells those who operate a server what it does and how long it takes; never what was asked or answered. */
export interface Tracing {
  /** Runs it in a span of its own, below the one that runs now. */
  during<T>(work: Work, run: (span: OpenSpan) => Promise<T>): Promise<T>
  /** For work that tells only at its end how long it took. */
  after(work: Work, ms: number): void
}

export const noTracing: Tracing = {
  during: (_, run) => run({ set() {} }),
  after() {},
}
