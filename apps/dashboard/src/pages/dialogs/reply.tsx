import { useEffect, useState } from 'preact/hooks'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { say } from '../../parts/toasts.tsx'
import { type Answer, readWholeAnswer } from './dialog-data.ts'

interface ReplyProps {
  readonly session: string
  readonly answer: Answer
}

/** What the agent said last to a request. A long answer begins folded, and the rest of it is fetched when it is wanted. */
export function Reply({ session, answer }: ReplyProps) {
  const [whole, setWhole] = useState<string>()
  // An answer that was still being written when it was unfolded.
  useEffect(() => setWhole(undefined), [answer.answer, answer.length])
  const folded = answer.answer.length < answer.length
  const rest = async () => (await readWholeAnswer(session, answer.index))?.answer ?? answer.answer
  const unfold = () => rest().then(setWhole, (error: Error) => say(error.message))
  return (
    <article class="reply" aria-label={`Answer to request ${answer.index}`}>
      <Markdown text={whole ?? (folded ? `${answer.answer}…` : answer.answer)} headingsFrom={3} />
      <p class="reply-actions">
        {folded && (
          <button
            type="button"
            class="button quiet"
            onClick={() => (whole === undefined ? unfold() : setWhole(undefined))}
          >
            {whole === undefined
              ? `Show all ${answer.length.toLocaleString()} characters`
              : 'Show less'}
          </button>
        )}
        <CopyButton
          label="Copy the answer"
          text={() => (folded ? (whole ?? rest()) : answer.answer)}
        />
      </p>
    </article>
  )
}
