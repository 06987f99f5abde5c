import * as z from 'zod'
import { flagValue } from './flag-value.ts'

/** About 12,000 tokens: what an agent can take in one answer. */
export const MAX_ANSWER = 48_000
const MAX_SHOWN = 200

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

/** As many as fit into one answer from `offset` on; only these are looked at closely. */
export function bounded<T, V>(
  all: readonly T[],
  view: (one: T) => V,
  offset = 0,
): { readonly shown: V[]; readonly next?: number } {
  const shown: V[] = []
  let room = MAX_ANSWER
  for (const one of all.slice(offset, offset + MAX_SHOWN)) {
    const viewed = view(one)
    room -= JSON.stringify(viewed).length
    if (room < 0 && shown.length > 0) break
    shown.push(viewed)
  }
  const next = offset + shown.length
  return next < all.length ? { shown, next } : { shown }
}

/** How to get the rest; undefined where all is shown. */
export function howToGoOn(total: number, next: number | undefined): string | undefined {
  return next === undefined ? undefined : `${total - next} more: call again with offset ${next}`
}
