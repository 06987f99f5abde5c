import { z } from 'zod'
import { flagValue } from './flag-value.ts'

/** Shapes that several tools of the family share. */
export const problem = z.object({ document: z.string(), error_type: z.string(), error: z.string() })
export const flagAnswer = z.object({ name: z.string(), value: flagValue.nullable() })
export const flagList = z.object({ flags: z.record(z.string(), flagValue), total: z.int() })
export const newFlagValue = flagValue.nullable().default(true).describe('Boolean, text, list or map; null removes')
export const flagName = z.string().describe('Letters, digits, - and _')
export const flagPattern = z.string().optional().describe('Glob over names')
