import { pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useQuery } from '../../live/use-query.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { FamilyOff, Loaded } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { FileCrumbs } from './file-crumbs.tsx'
import { FileRequests } from './file-requests.tsx'
import { type LineRange, rangeIn } from './line-range.ts'
import { OpenInEditor } from './open-in-editor.tsx'
import { BLOCK, type FileAnswer, readFile } from './search-data.ts'
import { SourceText } from './source-text.tsx'

export function FilePage() {
  const on = useFamily('context')
  const { query, hash } = usePlace()
  const path = query.get('path') ?? ''
  const chosen = rangeIn(hash) ?? lineOf(query.get('line'))
  const block = Math.floor((chosen?.from ?? 0) / BLOCK)
  const file = useQuery(on && path ? `file ${path} ${block}` : undefined, 'context', (signal) =>
    readFile(path, block, signal),
  )
  if (!on) return <FamilyOff family="context" what="Files" />
  return (
    <>
      <PageHeader
        title={path.split('/').at(-1) || 'File'}
        lead={file.value && <About answer={file.value} />}
      />
      <div class="file-bar">
        <FileCrumbs path={path} />
        <span class="file-actions">
          <CopyButton text={() => path} label="Copy path" />
          <CopyButton text={() => file.value?.file.content ?? ''} label="Copy the text" />
          <OpenInEditor path={path} line={chosen?.from} />
        </span>
      </div>
      <FileRequests path={path} />
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
              chosen={chosen}
              words={query.get('q') ?? ''}
              address={pathTo(['file'], { path, q: query.get('q') ?? '' })}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function lineOf(text: string | null): LineRange | undefined {
  const line = Math.floor(Number(text))
  return line >= 1 ? { from: line, to: line } : undefined
}

function About({ answer: { file, metadata } }: { readonly answer: FileAnswer }) {
  return (
    <>
      {file.language}, {(file.lines ?? 0).toLocaleString()} lines, {file.size.toLocaleString()}{' '}
      bytes, changed <When at={metadata.lastModified} />
    </>
  )
}
