import { useEffect, useState } from 'preact/hooks'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Folded } from '../../parts/folded.tsx'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { say } from '../../parts/toasts.tsx'
import { type Answer, readWholeAnswer } from './dialog-data.ts'

interface ReplyProps {
  readonly session: string
  readonly answer: Answer
}

/** What the agent said last to a request: its first lines, and the rest, fetched when it is wanted. */
export function Reply({ session, answer }: ReplyProps) {
  const [whole, setWhole] = useState<string>()
  // An answer that was still being written when it was unfolded.
  useEffect(() => setWhole(undefined), [answer.answer, answer.length])
  const isPart = answer.answer.length < answer.length
  const rest = async () => (await readWholeAnswer(session, answer.index))?.answer ?? answer.answer
  const unfold = () => {
    if (isPart && whole === undefined) rest().then(setWhole, (error: Error) => say(error.message))
  }
  return (
    <article class="reply" aria-label={`Answer to request ${answer.index}`}>
      <Folded characters={answer.length} hasMore={isPart} onOpen={unfold}>
        <Markdown text={whole ?? (isPart ? `${answer.answer}…` : answer.answer)} headingsFrom={3} />
      </Folded>
      <CopyButton
        label="Copy the answer"
        text={() => (isPart ? (whole ?? rest()) : answer.answer)}
      />
    </article>
  )
}
