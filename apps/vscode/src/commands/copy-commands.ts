import { env, window, workspace } from 'vscode'
import type { Dialog } from '../../../../src/dialogs/dialog.ts'
import type { TurnNode } from '../views/opened-dialog-tree-provider.ts'
import type { CommandParts, Commands } from './commands.ts'
import { jsonOf, markdownOf } from './dialog-texts.ts'

/** What takes words out of a dialog. */
export function copyCommands({ sessions, views: { opened } }: CommandParts): Commands {
  /** From a context menu the dialog that was clicked, from a title or the palette the one that is open. */
  const withDialog = async (
    clicked: Dialog | undefined,
    use: (dialog: Dialog) => Promise<unknown>,
  ) => {
    const chosen = clicked && 'sessionId' in clicked ? clicked : await opened.findDialog()
    if (chosen) return void (await use(chosen))
    window.showInformationMessage('No dialog is open. Choose one under Dialogs.')
  }
  return {
    copyRequestMessage: (node?: TurnNode) => copy(node?.turn.request, 'request'),
    copyAIResponse: (node?: TurnNode) => copy(node?.turn.answer, 'answer'),
    copyChatJson: (clicked?: Dialog) =>
      withDialog(clicked, async (dialog) =>
        copy(jsonOf(dialog, await sessions.turns(dialog)), 'dialog'),
      ),
    exportMarkdown: (clicked?: Dialog) =>
      withDialog(clicked, async (dialog) => {
        const content = markdownOf(dialog, await sessions.turns(dialog))
        const document = await workspace.openTextDocument({ language: 'markdown', content })
        await window.showTextDocument(document)
      }),
  }
}

async function copy(text: string | undefined, what: string): Promise<void> {
  if (!text) return void window.showInformationMessage(`There is no ${what} to copy yet.`)
  await env.clipboard.writeText(text)
  window.setStatusBarMessage(`The ${what} was copied`, 3_000)
}
