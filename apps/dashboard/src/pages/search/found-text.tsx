import { excerptOf, splitAtWords } from '@secretary-mcp/core/excerpt.ts'
import { drawTokens, useTokens } from '../../parts/code/code-block.tsx'
import { Pre } from '../../parts/scrollable.tsx'

const SHOWN_LINES = 12

interface FoundTextProps {
  readonly text: string
  readonly words: string
  /** Of code. */
  readonly language?: string
}

/** The part of a result that says most of what was asked for, its lines marked. */
export function FoundText({ text, words, language }: FoundTextProps) {
  const { lines, skipped, left } = excerptOf(text, words, SHOWN_LINES)
  const shown = lines.map((line) => line.text).join('\n')
  const tokens = useTokens(shown, language ?? '')
  if (language === undefined) {
    return (
      <p class="request-text clamp">
        {skipped > 0 && '… '}
        <Marked text={shown} words={words} />
      </p>
    )
  }
  return (
    <Pre>
      <code>
        {skipped > 0 && <span class="cut">{`… ${countOf(skipped)} before\n`}</span>}
        {lines.map(({ marked }, at) => (
          <span key={at} class={marked ? 'marked-line' : undefined}>
            {drawTokens(tokens[at] ?? [])}
            {'\n'}
          </span>
        ))}
        {left > 0 && <span class="cut">{`… ${countOf(left)} after`}</span>}
      </code>
    </Pre>
  )
}

function countOf(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`
}

/** How far the first marked line is below the first line of the text. */
export function firstMarkedLine(text: string, words: string): number {
  const { lines, skipped } = excerptOf(text, words, SHOWN_LINES)
  const first = lines.findIndex(({ marked }) => marked)
  return first < 0 ? 0 : skipped + first
}

function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  return (
    <>
      {splitAtWords(text, words).map((part, at) =>
        at % 2 === 1 ? <mark key={at}>{part}</mark> : part,
      )}
    </>
  )
}
