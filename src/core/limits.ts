import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export interface Limits {
  /** Counts one call; says how long to wait where the minute's share is used up. */
  take(
    tool: string,
    perMinute: number,
    user: string,
  ): Promise<{ readonly retryAfterMs: number } | undefined>
}

export const noLimits: Limits = { take: async () => undefined }

/** Calls a minute for each user and tool, counted in this process. */
export function createLimits(): Limits {
  const limiters = new Map<string, Promise<RateLimiterMemory>>()
  return {
    async take(tool, perMinute, user) {
      let limiter = limiters.get(tool)
      if (!limiter) {
        limiter = createLimiter(perMinute)
        limiters.set(tool, limiter)
      }
      try {
        await (await limiter).consume(user)
        return undefined
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal
        return { retryAfterMs: (refusal as RateLimiterRes).msBeforeNext }
      }
    },
  }
}

/** Loaded on first use: most tools have no limit, and a start should not pay for it. */
async function createLimiter(points: number): Promise<RateLimiterMemory> {
  // A CommonJS package: bundled, its names hang on the default export alone.
  const { default: limiters } = await import('rate-limiter-flexible')
  return new limiters.RateLimiterMemory({ points, duration: 60 })
}
