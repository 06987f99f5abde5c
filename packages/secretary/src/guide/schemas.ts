import * as z from 'zod'
import { flagValue } from './flag-value.ts'

/** Shapes that several tools of the family share. */
export const problem = z.object({ document: z.string(), error_type: z.string(), error: z.string() })
export const flagAnswer = z.object({ name: z.string(), value: flagValue.nullable() })
export const flagList = z.object({ flags: z.record(z.string(), flagValue), total: z.int() })
export const newFlagValue = flagValue.nullable().default(true).describe('null removes it')
export const flagName = z.string().describe('Letters, digits, - and _')
export const flagPattern = z.string().optional().describe('Glob over names')

export const category = z.object({
  name: z.string(),
  dir: z.string(),
  patterns: z.array(z.string()).readonly(),
  description: z.string(),
})
export const collection = z.object({
  name: z.string(),
  categories: z.array(z.string()).readonly(),
  description: z.string(),
})
export const written = z.object({ document: z.string() })
export const projectRecord = z.object({ key: z.string(), name: z.string(), path: z.string() })
export const patterns = z.array(z.string()).optional().describe('Globs in it; all if omitted')
export const items = z.array(z.string()).describe('Expressions such as lang/python or testing')
export const description = z.string().optional().describe('What it is for')
export const newName = z.string().optional().describe('New name')
export const documentPath = z.string().describe('Such as lang/zig.md')
export const documentContent = z.string().describe('Markdown, with or without front matter')
export const offset = z.int().min(0).default(0).describe('How many to skip')
