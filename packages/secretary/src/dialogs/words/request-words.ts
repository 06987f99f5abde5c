import { redact } from '@secretary-mcp/core/redact.ts'
import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { type Mark, type ReadResult, requestsOf } from '@secretary-mcp/transcripts/dialog.ts'
import { type SearchedText, searchedText } from './word-ranking.ts'

/** A request as a search by words needs it: kept, so that the first search does not read every dialog. */
export interface RequestWords extends SearchedText {
  /** Which mark of its dialog it is. */
  readonly mark: string
}

/** What one read of a dialog says of its requests. */
export interface WordsOfDialog {
  /** The marks that are requests now; words that were kept of any other are dropped. */
  readonly marks: readonly string[]
  /** Of those that were read just now. */
  readonly words: readonly RequestWords[]
}

/** Undefined if the reader does not tell the texts. */
export function wordsOfDialog(
  reading: Pick<ReadResult, 'marks' | 'helper'>,
  isWhole: boolean,
): WordsOfDialog | undefined {
  const requests = requestsOf(reading)
  if (isWhole && requests.some(({ text }) => text === undefined)) return undefined
  const words = requests.flatMap((mark) =>
    mark.text === undefined
      ? []
      : [{ mark: markName(mark), ...searchedRequest(redact(mark.text)) }],
  )
  return { marks: requests.map(markName), words }
}

/** What was typed counts more than what was pasted with it. */
export function searchedRequest(text: string): SearchedText {
  const typed = typedText(text)
  return searchedText(typed === text ? text : `${typed}\n${text}`)
}

/** Tells a mark from the others of its dialog. */
export function markName({ at, hint, path }: Mark): string {
  return [at, hint ?? '', path ?? ''].join(' ')
}
