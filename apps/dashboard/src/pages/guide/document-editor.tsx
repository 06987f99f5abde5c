import { useEffect, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { go, pathTo } from '../../live/router.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { DiffText } from '../../parts/diff-text.tsx'
import { lineDiff } from '../../parts/line-diff.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Loaded, Problem } from '../../parts/states.tsx'
import { say } from '../../parts/toasts.tsx'
import { keepText, keptText } from './unsaved-documents.ts'

type Source = AnswerOf<'get /api/v1/guide/document'>

const BEGINNING = `---
type: agent/instruction
description: One line about this rule
---
# Title

`

/** Writes a document with its preview beside it; without a path, a new one. */
export function DocumentEditor({ path }: { readonly path?: string }) {
  const query = useQuery(path ? `document source ${path}` : undefined, 'guide', (signal) =>
    call('get /api/v1/guide/document', { query: { path: path ?? '' }, signal }),
  )
  if (path === undefined) return <Editor key="new" />
  return (
    <Loaded query={query} rows={8}>
      {(source) => <Editor key={`${source.layer} ${source.text}`} source={source} />}
    </Loaded>
  )
}

function Editor({ source }: { readonly source?: Source }) {
  const kept = keptText(source?.path ?? '')
  const [path, setPath] = useState(source?.path ?? 'guidelines/')
  const [text, setText] = useState(kept ?? source?.text ?? BEGINNING)
  const [problem, setProblem] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const before = source?.text ?? BEGINNING
  const isChanged = text !== before
  useEffect(() => {
    keepText(source?.path ?? '', isChanged ? text : undefined)
  }, [text, isChanged, source?.path])
  const settle = (message: string, uri?: string) => {
    keepText(source?.path ?? '', undefined)
    changed('guide')
    say(message)
    go(uri ? pathTo(['guide'], { document: uri }) : pathTo(['guide']))
  }
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    await work().catch(setProblem)
    setBusy(false)
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    void attempt(async () => {
      const body = { path, content: text, isNew: source === undefined }
      const { document, message } = await call('put /api/v1/guide/document', { body })
      settle(message, `guide://${document}`)
    })
  }
  const remove = () =>
    attempt(async () => {
      const { message } = await call('delete /api/v1/guide/document', { query: { path } })
      settle(message)
    })
  const isProject = source?.layer === 'project'
  return (
    <form class="editor" onSubmit={save}>
      <PageHeader
        title={source ? `Edit ${source.path}` : 'New document'}
        lead={
          source?.layer === 'shipped'
            ? 'Your copy will override the one that came with Secretary'
            : undefined
        }
      />
      {isProject && (
        <p class="quiet-line">
          It is a file of the project (<code>.guide/{path}</code>) and is edited there.
        </p>
      )}
      {kept !== undefined && <p class="quiet-line">Your unsaved text is back.</p>}
      {!source && (
        <label class="field">
          <span>Path, such as lang/zig.md</span>
          <input
            value={path}
            required
            maxLength={200}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="editor-sides">
        <label class="field">
          <span>Text</span>
          <textarea
            class="editor-text"
            value={text}
            readOnly={isProject}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <section class="editor-preview" aria-label="Preview">
          <Markdown text={withoutFrontMatter(text)} />
        </section>
      </div>
      {problem && <Problem error={problem} />}
      <div class="form-actions">
        <button
          type="submit"
          class="button primary"
          disabled={busy || isProject || (source && !isChanged)}
        >
          Save
        </button>
        {source?.layer === 'user' && (
          <button type="button" class="button danger" disabled={busy} onClick={remove}>
            {source.shipped === undefined ? 'Delete' : 'Go back to the shipped document'}
          </button>
        )}
        <a
          class="button"
          href={
            source ? pathTo(['guide'], { document: `guide://${source.path}` }) : pathTo(['guide'])
          }
          onClick={() => keepText(source?.path ?? '', undefined)}
        >
          Cancel
        </a>
      </div>
      {source?.shipped !== undefined && <Difference shipped={source.shipped} text={text} />}
    </form>
  )
}

function Difference({ shipped, text }: { readonly shipped: string; readonly text: string }) {
  const diff = lineDiff(shipped, text)
  return (
    <section>
      <h2 class="section-title">Difference from the shipped document</h2>
      {diff === '' ? <p class="quiet-line">None.</p> : <DiffText text={diff} />}
    </section>
  )
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, '')
}
