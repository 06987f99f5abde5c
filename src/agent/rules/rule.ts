import type { Intent } from './intent.ts'
import { reference } from './reference.ts'

/** What a sentence must look like, and what it then means. */
export type Rule = readonly [RegExp, (match: Record<string, string | undefined>) => Intent]

export const add = (title?: string, description?: string): Intent => ({
  kind: 'add',
  ...(title ? { title } : {}),
  ...(description ? { description } : {}),
})

export const about = (kind: 'complete' | 'reopen' | 'delete', words?: string): Intent => ({
  kind,
  ...reference(words),
})

export const update = (
  words: string | undefined,
  changes: { title?: string; description?: string },
): Intent => ({ kind: 'update', ...reference(words), ...changes })
