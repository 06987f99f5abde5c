import { type Disposable, type TextEditor, ThemeColor, window, workspace } from 'vscode'
import { ago, oneLine } from '../views/wording.ts'
import type { WhyRequests } from './why-requests.ts'

const SETTLED_MS = 400
const LONGEST = 80

/** Says behind the current line which request led to it, where the settings want that. */
export function annotateLine(why: WhyRequests): Disposable {
  const decoration = window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new ThemeColor('editorCodeLens.foreground') },
  })
  let waiting: NodeJS.Timeout | undefined
  const show = async (editor: TextEditor) => {
    const line = editor.selection.active.line
    const [reason] = await why.of(editor.document, line + 1)
    // Somebody who has gone on is not told about where they were.
    if (editor.selection.active.line !== line) return
    const contentText = reason
      ? `${oneLine(reason.request).slice(0, LONGEST)} · ${ago(reason.timestamp)}`
      : ''
    const { range } = editor.document.lineAt(line)
    editor.setDecorations(
      decoration,
      reason ? [{ range, renderOptions: { after: { contentText } } }] : [],
    )
  }
  const listening = window.onDidChangeTextEditorSelection(({ textEditor }) => {
    clearTimeout(waiting)
    const isWanted = workspace
      .getConfiguration('copilotChatSecretary')
      .get<boolean>('why.annotateLine', false)
    if (!isWanted) return textEditor.setDecorations(decoration, [])
    waiting = setTimeout(() => void show(textEditor), SETTLED_MS)
  })
  return {
    dispose() {
      clearTimeout(waiting)
      listening.dispose()
      decoration.dispose()
    },
  }
}
