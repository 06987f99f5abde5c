import type { PastMessage } from './agent.ts'

export const MOST_MESSAGES = 20
const MOST_TOKENS = 8_000
/** Few texts take fewer characters a token than this: rather too few messages than a refused question. */
const CHARACTERS_PER_TOKEN = 3

/** The newest messages that fit the budget, oldest of them first. */
export function withinBudget<M extends PastMessage>(messages: readonly M[]): M[] {
  let left = MOST_TOKENS * CHARACTERS_PER_TOKEN
  const kept: M[] = []
  for (const message of messages.slice(-MOST_MESSAGES).reverse()) {
    left -= message.content.length
    if (left < 0) break
    kept.unshift(message)
  }
  return kept
}
