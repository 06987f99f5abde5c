/** What the counts of a tool come to; also read by the page. */
export interface ToolStats {
  readonly tool: string
  readonly calls: number
  readonly successRate: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly p99Ms?: number
  readonly errors: Readonly<Record<string, number>>
  readonly rateLimitHits: number
}

/** The same for one hour. */
export interface HourStats {
  readonly hour: string
  readonly tool: string
  readonly calls: number
  readonly failed: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly p99Ms?: number
  readonly rateLimitHits: number
}
