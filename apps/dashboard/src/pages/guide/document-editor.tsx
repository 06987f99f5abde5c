import { useEffect, useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import type { AnswerOf } from '../../live/api-types.ts'
import { go, pathTo } from '../../live/router.ts'
import { changed } from '../../live/topics.ts'
import { useQuery } from '../../live/use-query.ts'
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx'
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
      {(source) => <Editor key={path} latest={source} />}
    </Loaded>
  )
}

function Editor({ latest }: { readonly latest?: Source }) {
  const [kept] = useState(() => keptText(latest?.path ?? ''))
  // What the person began with: an agent may write the document meanwhile.
  const [source, setSource] = useState(kept ? kept.base : latest)
  const [path, setPath] = useState(latest?.path ?? 'guidelines/')
  const [text, setText] = useState(kept?.text ?? latest?.text ?? BEGINNING)
  const [problem, setProblem] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const isChanged = text !== (source?.text ?? BEGINNING)
  const isOlder = source?.version !== latest?.version
  const takeTheirs = () => {
    setSource(latest)
    setText(latest?.text ?? BEGINNING)
  }
  useEffect(() => {
    keepText(source?.path ?? '', isChanged ? { text, base: source } : undefined)
  }, [text, isChanged, source])
  useEffect(() => {
    if (!isChanged) takeTheirs()
  }, [latest?.version])
  const settle = (message: string, uri?: string) => {
    keepText(source?.path ?? '', undefined)
    changed('guide')
    say(message)
    go(uri ? pathTo(['guide'], { document: uri }) : pathTo(['guide']))
  }
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    await work().catch((error: Error) => {
      setProblem(error)
      changed('guide')
    })
    setBusy(false)
  }
  const save = (base = source) =>
    attempt(async () => {
      const body = { path, content: text, isNew: !base, version: base?.version }
      const { document, message } = await call('put /api/v1/guide/document', { body })
      settle(message, `guide://${document}`)
    })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void save()
  }
  const remove = () =>
    attempt(async () => {
      const query = { path, version: source?.version }
      const { message } = await call('delete /api/v1/guide/document', { query })
      settle(message)
    })
  const isProject = source?.layer === 'project'
  return (
    <form class="editor" onSubmit={submit}>
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
      {problem && !(latest && isOlder) && <Problem error={problem} />}
      {latest && isOlder && isChanged && (
        <ChangedMeanwhile onMine={() => void save(latest)} onTheirs={takeTheirs}>
          <DiffText text={lineDiff(latest.text, text)} />
        </ChangedMeanwhile>
      )}
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
