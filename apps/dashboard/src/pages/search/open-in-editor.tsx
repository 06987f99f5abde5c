import { session } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'

const NAMES = { vscode: 'VS Code', cursor: 'Cursor', idea: 'IntelliJ IDEA' } as const

interface OpenInEditorProps {
  readonly path: string
  readonly line?: number
}

/** Leads to the file in the person's editor, where they have chosen one. */
export function OpenInEditor({ path, line = 1 }: OpenInEditorProps) {
  const known = useStore(session)
  if (!known || known.editor === 'none') return null
  const absolute = `${known.project.replaceAll('\\', '/').replace(/\/$/, '')}/${path}`
  const encoded = absolute.split('/').map(encodeURIComponent).join('/').replace(/^\//, '')
  const address =
    known.editor === 'idea'
      ? `idea://open?file=${encodeURIComponent(absolute)}&line=${line}`
      : `${known.editor}://file/${encoded}:${line}`
  return (
    <a class="button" href={address} target="_self">
      Open in {NAMES[known.editor]}
    </a>
  )
}
