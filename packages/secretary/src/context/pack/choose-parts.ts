import { estimateTokens } from '@secretary-mcp/core/token-estimate.ts'
import type { PackKind, PackPart } from './pack-types.ts'

/** A part that may go in, and what it is worth. */
export interface Candidate extends Omit<PackPart, 'tokens'> {
  readonly worth: number
}

/** What each kind may take of the budget before the rest is shared out; code gets what the others leave. */
const SHARES: Readonly<Record<PackKind, number>> = {
  rule: 0.06,
  wish: 0.08,
  command: 0.04,
  code: 1,
  signature: 0.06,
  test: 0.12,
  decision: 0.08,
  request: 0.08,
}
const ORDER = Object.keys(SHARES) as PackKind[]
const MOST_LEFT = 20
/** Title, reason and place cost too. */
const FRAME_TOKENS = 12

/** The parts of most worth for each token within the budget, and a line for each that did not fit. */
export function chooseParts(
  candidates: readonly Candidate[],
  budget: number,
): { parts: PackPart[]; left: string[]; tokens: number } {
  const sized = candidates
    .map((one) => ({ ...one, tokens: costOf(one) }))
    .sort((a, b) => b.worth / Math.sqrt(b.tokens) - a.worth / Math.sqrt(a.tokens))
  const taken: (typeof sized)[number][] = []
  const spent = new Map<PackKind, number>()
  let tokens = 0
  const take = (one: (typeof sized)[number], most: number) => {
    const ofKind = (spent.get(one.kind) ?? 0) + one.tokens
    if (tokens + one.tokens > budget || ofKind > most || repeats(one, taken)) return
    spent.set(one.kind, ofKind)
    tokens += one.tokens
    taken.push(one)
  }
  for (const kind of ORDER)
    if (kind !== 'code')
      for (const one of sized) if (one.kind === kind) take(one, SHARES[kind] * budget)
  for (const one of sized) if (one.kind === 'code') take(one, budget)
  const parts = [...taken]
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.worth - a.worth)
    .map(({ worth: _worth, ...part }) => part)
  const left = sized
    .filter((one) => !taken.includes(one) && !repeats(one, taken))
    .slice(0, MOST_LEFT)
    .map(({ kind, title, tokens: cost }) => `${title} (${kind}, ${cost} tokens)`)
  return { parts, left, tokens }
}

function costOf({ title, why, text }: Candidate): number {
  return estimateTokens(text) + estimateTokens(title) + estimateTokens(why) + FRAME_TOKENS
}

/** The same lines of a file, or the same words. */
function repeats(one: Candidate, taken: readonly Candidate[]): boolean {
  return taken.some(
    (other) =>
      other !== one &&
      (other.text === one.text ||
        (one.file !== undefined &&
          one.file === other.file &&
          (one.line ?? 0) <= (other.endLine ?? 0) &&
          (other.line ?? 0) <= (one.endLine ?? 0))),
  )
}
