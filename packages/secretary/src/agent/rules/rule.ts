import type { Intent } from './intent.ts'
import { reference } from './reference.ts'

/** What a sentence must look like, and what it then means. */
export type Rule = readonly [RegExp, (match: Record<string, string | undefined>) => Intent]

export const add = (title?: string, description?: string): Intent => ({
  kind: 'add',
  ...(title ? { title: unquoted(title) } : {}),
  ...(description ? { description: unquoted(description) } : {}),
})

/** Quotes around the whole are the person's way to say where a text begins and ends. */
function unquoted(text: string): string {
  return /^["“„«']([^"“”„«»]+)["”“»']$/u.exec(text)?.[1]?.trim() ?? text
}

export const about = (kind: 'complete' | 'reopen' | 'delete', words?: string): Intent => ({
  kind,
  ...reference(words),
})

export const update = (
  words: string | undefined,
  changes: { title?: string; description?: string },
): Intent => ({
  kind: 'update',
  ...reference(words),
  ...Object.fromEntries(Object.entries(changes).map(([key, text]) => [key, unquoted(text)])),
})
