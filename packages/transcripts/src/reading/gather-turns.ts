import { cutText } from '../preview.ts'
import type { BareTurn, TurnsWanted } from '../source.ts'

/** Enough for a search engine to know what an answer is about. */
export const MAX_ANSWER = 2000

/** What stands in a dialog, in order: a request with its number, or words of the agent. */
export type Said =
  | { readonly position: number; readonly time: number; readonly request: string }
  | { readonly position?: undefined; readonly answer: string | undefined }

/** Requests with the last words of the agent before the next one. */
export async function* gatherTurns(
  said: Iterable<Said> | AsyncIterable<Said>,
  wanted: TurnsWanted = {},
): AsyncGenerator<BareTurn> {
  let open: BareTurn | undefined
  for await (const one of said) {
    if (one.position === undefined) {
      if (open && one.answer) open = { ...open, ...cutAnswer(one.answer, wanted) }
      continue
    }
    if (open) yield open
    open = isWanted(one.position, wanted)
      ? { position: one.position, time: one.time, request: one.request }
      : undefined
  }
  if (open) yield open
}

export function isWanted(
  position: number,
  { from = 1, to = Number.POSITIVE_INFINITY }: TurnsWanted,
): boolean {
  return position >= from && position <= to
}

export function cutAnswer(
  answer: string | undefined,
  { longestAnswer = MAX_ANSWER }: TurnsWanted,
): Pick<BareTurn, 'answer' | 'answerLength'> {
  if (answer === undefined || answer.length <= longestAnswer)
    return { answer, answerLength: undefined }
  return { answer: cutText(answer, longestAnswer), answerLength: answer.length }
}
