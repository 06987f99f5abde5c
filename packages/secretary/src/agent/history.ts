import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { PastMessage } from './agent.ts'

export const MOST_MESSAGES = 20
const MOST_TOKENS = 8_000

/** The newest messages that fit the budget, oldest of them first. */
export function withinBudget<M extends PastMessage>(messages: readonly M[]): M[] {
  let left = MOST_TOKENS
  const kept: M[] = []
  for (const message of messages.slice(-MOST_MESSAGES).reverse()) {
    left -= estimateTokens(message.content)
    if (left < 0) break
    kept.unshift(message)
  }
  return kept
}
