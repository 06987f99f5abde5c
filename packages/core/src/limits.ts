import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'

export interface Limits {
  /** Counts one call; says how long to wait where the minute's share is used up. */
  take(
    tool: string,
    perMinute: number,
    user: string,
  ): Promise<{ readonly retryAfterMs: number } | undefined>
}

/** Where several servers count together: a PostgreSQL with the table \`rate_limits\`. */
export interface LimitQueries {
  query(asked: {
    readonly text: string
    readonly values: readonly unknown[]
  }): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number }>
}

/** A minute's count cannot end later than this, whatever the clocks of other servers say. */
const LATEST_END_MS = 120_000
const MINUTE_MS = 60_000

export const noLimits: Limits = { take: async () => undefined }

/** Calls a minute for each user and tool, counted in this process or with the others on one database. */
export function createLimits(shared?: LimitQueries): Limits {
  const limiters = new Map<string, Promise<RateLimiterAbstract>>()
  return {
    async take(tool, perMinute, user) {
      let limiter = limiters.get(tool)
      if (!limiter) {
        limiter = createLimiter(tool, perMinute, shared)
        limiters.set(tool, limiter)
      }
      const waitMs = await consume(await limiter, user)
      if (waitMs === undefined) return undefined
      if (waitMs <= LATEST_END_MS) return { retryAfterMs: Math.min(waitMs, MINUTE_MS) }
      // The clock was set back since it was counted: that minute is over, or nobody can tell.
      await (await limiter).delete(user)
      await consume(await limiter, user)
      return undefined
    },
  }
}

/** How long to wait where nothing is left. */
async function consume(limiter: RateLimiterAbstract, user: string): Promise<number | undefined> {
  try {
    await limiter.consume(user)
    return undefined
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal
    return (refusal as RateLimiterRes).msBeforeNext
  }
}

/** Loaded on first use: most tools have no limit, and a start should not pay for it. */
async function createLimiter(
  tool: string,
  points: number,
  shared: LimitQueries | undefined,
): Promise<RateLimiterAbstract> {
  // A CommonJS package: bundled, its names hang on the default export alone.
  const { default: limiters } = await import('rate-limiter-flexible')
  const own = new limiters.RateLimiterMemory({ points, duration: 60 })
  if (!shared) return own
  return new limiters.RateLimiterPostgres({
    storeClient: shared,
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: true,
    keyPrefix: tool,
    points,
    duration: 60,
    // A database that is away for a moment costs the others' counts, not the call.
    insuranceLimiter: own,
  })
}
