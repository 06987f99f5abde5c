import { splitAtWords } from '@secretary-mcp/core/excerpt.ts'
import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { plainTitle } from '../shown-text.ts'
import { When } from '../when.tsx'
import type { Found } from './found.ts'

/** A hit in two lines, the words that were asked for marked. */
export function FoundLine({ found, words }: { readonly found: Found; readonly words: string }) {
  const { title, text, note, at, why, dialog } = found
  return (
    <>
      <span class="found-head">
        <span class="found-title">
          <Marked text={plainTitle(title)} words={words} />
        </span>
        {dialog && <span class="found-dialog">in {plainTitle(dialog)}</span>}
        {note && <span class="found-note">{agentName(note)}</span>}
        {at !== undefined && at > 0 && <When at={at} />}
      </span>
      {text && text !== title && (
        <span class="found-text">
          <Marked text={text} words={words} />
        </span>
      )}
      <span class="found-why">{why.charAt(0).toUpperCase() + why.slice(1)}</span>
    </>
  )
}

export function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  return (
    <>
      {splitAtWords(text, words).map((part, place) =>
        place % 2 === 1 ? <mark key={place}>{part}</mark> : part,
      )}
    </>
  )
}
