import { Disposable, type TextEditor, ThemeColor, window, workspace } from 'vscode'
import { ago, oneLine } from '../views/wording.ts'
import type { WhyRequests } from './why-requests.ts'

const SETTLED_MS = 400
const MAX_LENGTH = 80
const SETTING = 'copilotChatSecretary.why.annotateLine'

/** Says behind the current line which request led to it, where the settings want that. */
export function annotateLine(why: WhyRequests): Disposable {
  const decoration = window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new ThemeColor('editorCodeLens.foreground') },
  })
  let waiting: NodeJS.Timeout | undefined
  const show = async (editor: TextEditor) => {
    const line = editor.selection.active.line
    const [reason] = await why.of(editor.document, line + 1)
    // Somebody who has gone on, or wants it no more, is not told about where they were.
    if (editor.selection.active.line !== line || !isWantedIn(editor) || !reason) return
    const contentText = `${oneLine(reason.request).slice(0, MAX_LENGTH)} · ${ago(reason.timestamp)}`
    const { range } = editor.document.lineAt(line)
    editor.setDecorations(decoration, [{ range, renderOptions: { after: { contentText } } }])
  }
  const update = () => {
    clearTimeout(waiting)
    for (const editor of window.visibleTextEditors) editor.setDecorations(decoration, [])
    const editor = window.activeTextEditor
    if (editor && isWantedIn(editor)) waiting = setTimeout(() => void show(editor), SETTLED_MS)
  }
  update()
  return Disposable.from(
    window.onDidChangeTextEditorSelection(update),
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) update()
    }),
    decoration,
    { dispose: () => clearTimeout(waiting) },
  )
}

function isWantedIn(editor: TextEditor): boolean {
  return (
    editor === window.activeTextEditor && workspace.getConfiguration().get<boolean>(SETTING, false)
  )
}
