import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Objection } from './watched-rules.ts'

export type HookAnswer = Readonly<Record<string, unknown>>

/** The strictest that one of the rules asks for. */
const ORDER = ['tell', 'ask', 'deny'] as const

/** The rule's own line, what is missing and the command that would satisfy it. */
export function objectionText(objections: readonly Objection[]): string {
  return objections
    .map(({ rule, missing, forbidden }) =>
      [
        `The rule "${quoteLine(rule.title)}" of this project: ${quoteLine(rule.line)}`,
        ...(forbidden.length > 0 ? [`It forbids: ${forbidden.map(quoteLine).join(', ')}`] : []),
        ...(missing.length > 0
          ? [
              `Not run since the last edit, or failed: ${missing.map(quoteLine).join(', ')}`,
              `Run first: ${missing.map(quoteLine).join(' && ')}`,
            ]
          : []),
      ].join('\n'),
    )
    .join('\n\n')
}

/** What a hook before a tool answers; undefined lets the call pass without a word. */
export function objectionAnswer(
  objections: readonly Objection[],
  form = 'claude',
): HookAnswer | undefined {
  if (objections.length === 0) return undefined
  const strictest = ORDER[Math.max(...objections.map(({ rule }) => ORDER.indexOf(rule.watch.then)))]
  const text = objectionText(objections)
  const decision =
    strictest === 'tell'
      ? { additionalContext: text }
      : { permissionDecision: strictest, permissionDecisionReason: text }
  const inside = { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } }
  return form === 'copilot' ? { ...decision, ...inside } : inside
}
