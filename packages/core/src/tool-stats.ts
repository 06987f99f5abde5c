import * as z from 'zod'

const percentiles = {
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  p99Ms: z.number().optional(),
}

/** What the counts of a tool come to. */
export const toolStats = z.object({
  tool: z.string(),
  calls: z.int(),
  successRate: z.number(),
  ...percentiles,
  errors: z.record(z.string(), z.int()),
  rateLimitHits: z.int(),
  overruns: z.int().describe('Calls that took longer than their maximum'),
  pageCalls: z.int().describe('Calls by the web page, not among the calls'),
})
export type ToolStats = z.output<typeof toolStats>

/** The same for one hour. */
export const hourStats = z.object({
  hour: z.string(),
  tool: z.string(),
  calls: z.int(),
  failed: z.int(),
  ...percentiles,
  rateLimitHits: z.int(),
})
export type HourStats = z.output<typeof hourStats>
