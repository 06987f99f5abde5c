import { useEffect, useState } from 'preact/hooks'
import { pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { drawTokens, useTokens } from '../../parts/code/code-block.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { shownBeginning } from '../../parts/shown-text.ts'
import { FamilyOff, Loaded } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { When } from '../../parts/when.tsx'
import { BLOCK, type FileAnswer, readFile } from './search-data.ts'
import { type Behind, useWhy } from './use-why.ts'

const LINE_HEIGHT = 21
const LONGEST_BEHIND = 60
const LONGEST_TITLE = 600

export function FilePage() {
  const on = useFamily('context')
  const { query } = usePlace()
  const path = query.get('path') ?? ''
  const line = Number(query.get('line')) || undefined
  const block = Math.floor(Math.max(0, line ?? 0) / BLOCK)
  const file = useQuery(on && path ? `file ${path} ${block}` : undefined, 'context', (signal) =>
    readFile(path, block, signal),
  )
  if (!on) return <FamilyOff family="context" what="Files" />
  return (
    <>
      <PageHeader title={path || 'File'} lead={file.value && <About answer={file.value} />}>
        <CopyButton text={() => file.value?.file.content ?? ''} label="Copy the text" />
      </PageHeader>
      <Loaded query={file} rows={10}>
        {(answer) => (
          <>
            {answer.message && <p class="quiet-line">{answer.message}</p>}
            <SourceText
              key={path}
              path={path}
              text={answer.file.content.replace(/\n$/, '')}
              language={path.split('.').at(-1) ?? ''}
              first={answer.file.startLine ?? 1}
              marked={line}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function About({ answer: { file, metadata } }: { readonly answer: FileAnswer }) {
  return (
    <>
      {file.language}, {(file.lines ?? 0).toLocaleString()} lines, {file.size.toLocaleString()}{' '}
      bytes, changed <When at={metadata.lastModified} />
    </>
  )
}

interface SourceTextProps {
  readonly path: string
  readonly text: string
  readonly language: string
  readonly first: number
  readonly marked?: number
}

/** Only the lines on screen are drawn, so that a megabyte opens as fast as a page. */
function SourceText({ path, text, language, first, marked }: SourceTextProps) {
  const lines = useTokens(text, language)
  const { begins, need } = useWhy({ path, first, total: lines.length })
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!place || marked === undefined) return
    const top = place.getBoundingClientRect().top + window.scrollY
    window.scrollTo(0, Math.max(0, top + (marked - first) * LINE_HEIGHT - window.innerHeight / 3))
  }, [place, marked, first])
  return (
    <Scrollable class="source" label="Text of the file" place={setPlace}>
      <VirtualList
        label="Lines"
        total={lines.length}
        rowHeight={LINE_HEIGHT}
        need={need}
        row={(index) => (
          <div class="source-line" data-marked={index + first === marked}>
            <span class="line-number">{index + first}</span>
            <code>{drawTokens(lines[index] ?? [])}</code>
            <RequestBehind behind={begins.get(index + first)} />
          </div>
        )}
      />
    </Scrollable>
  )
}

/** Says beside the first line of a part which request led to it. */
function RequestBehind({ behind }: { readonly behind?: Behind }) {
  if (!behind) return null
  const { sessionId, index, request } = behind
  return (
    <a
      class="request-behind"
      href={pathTo(['dialogs'], { session: sessionId, at: index })}
      title={shownBeginning(request, LONGEST_TITLE)}
    >
      {shownBeginning(request, LONGEST_BEHIND)}
    </a>
  )
}
