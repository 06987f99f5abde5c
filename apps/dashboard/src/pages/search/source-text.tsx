import { queryWords } from '@secretary-mcp/core/excerpt.ts'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { go, pathTo } from '../../live/router.ts'
import { drawTokens, useTokens } from '../../parts/code/code-block.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { shownBeginning } from '../../parts/shown-text.ts'
import { StillReading } from '../../parts/still-reading.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { hashOf, type LineRange } from './line-range.ts'
import { type Behind, useWhy } from './use-why.ts'

const LINE_HEIGHT = 21
const MAX_BEHIND = 60
const MAX_TITLE = 600

interface SourceTextProps {
  readonly path: string
  readonly text: string
  readonly language: string
  readonly first: number
  readonly chosen?: LineRange
  /** Lines with one of these are marked. */
  readonly words: string
  /** Of the file, to which a line is added. */
  readonly address: string
}

/** Only the lines on screen are drawn, so that a megabyte opens as fast as a page. */
export function SourceText(props: SourceTextProps) {
  const { path, text, language, first, chosen, words, address } = props
  const lines = useTokens(text, language)
  const { begins, note, need, reload } = useWhy({ path, first, total: lines.length })
  const hits = useMemo(() => hitLines(text, words), [text, words])
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const from = chosen?.from
  useEffect(() => {
    if (!place || from === undefined) return
    const top = place.getBoundingClientRect().top + window.scrollY
    const wanted = top + (from - first) * LINE_HEIGHT
    const isSeen = wanted > window.scrollY && wanted < window.scrollY + window.innerHeight
    if (!isSeen) window.scrollTo(0, Math.max(0, wanted - window.innerHeight / 3))
  }, [place, from, first])
  const choose = (event: MouseEvent, line: number) => {
    if (!event.shiftKey) return
    event.preventDefault()
    go(`${address}${hashOf(line, chosen)}`, { replace: true })
  }
  return (
    <>
      <StillReading note={note} reload={reload} />
      <Scrollable class="source" label="Text of the file" place={setPlace}>
        <VirtualList
          label="Lines"
          total={lines.length}
          rowHeight={LINE_HEIGHT}
          need={need}
          row={(index) => {
            const line = index + first
            const isChosen = chosen && line >= chosen.from && line <= chosen.to
            return (
              <div class="source-line" data-marked={isChosen === true} data-hit={hits.has(index)}>
                <a
                  class="line-number"
                  tabIndex={-1}
                  aria-label={`Line ${line}`}
                  href={`${address}#L${line}`}
                  onClick={(event) => choose(event, line)}
                >
                  {line}
                </a>
                <code>{drawTokens(lines[index] ?? [])}</code>
                <RequestBehind behind={begins.get(line)} />
              </div>
            )
          }}
        />
      </Scrollable>
    </>
  )
}

function hitLines(text: string, words: string): ReadonlySet<number> {
  const wanted = queryWords(words)
  if (wanted.length === 0) return new Set()
  const hits = text.split('\n').flatMap((line, place) => {
    const lower = line.toLowerCase()
    return wanted.some((word) => lower.includes(word)) ? [place] : []
  })
  return new Set(hits)
}

/** Says beside the first line of a part which request led to it. */
function RequestBehind({ behind }: { readonly behind?: Behind }) {
  if (!behind) return null
  const { sessionId, index, request } = behind
  return (
    <a
      class="request-behind"
      href={pathTo(['dialogs'], { session: sessionId, at: index })}
      title={shownBeginning(request, MAX_TITLE)}
    >
      {shownBeginning(request.replace(/\s+/g, ' ').trim(), MAX_BEHIND)}
    </a>
  )
}
