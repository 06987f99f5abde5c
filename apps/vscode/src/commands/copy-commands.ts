import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { env, l10n, window, workspace } from 'vscode'
import type { TurnNode } from '../views/opened-dialog-tree-provider.ts'
import type { CommandParts, Commands } from './commands.ts'
import { jsonOf, markdownOf } from './dialog-texts.ts'

interface Words {
  readonly missing: string
  readonly copied: string
}

const REQUEST: Words = {
  missing: l10n.t('There is no request to copy yet.'),
  copied: l10n.t('The request was copied'),
}
const ANSWER: Words = {
  missing: l10n.t('There is no answer to copy yet.'),
  copied: l10n.t('The answer was copied'),
}
const DIALOG: Words = {
  missing: l10n.t('There is no dialog to copy yet.'),
  copied: l10n.t('The dialog was copied'),
}

/** What takes words out of a dialog. */
export function copyCommands({ sessions, views: { opened } }: CommandParts): Commands {
  /** From a context menu the dialog that was clicked, from a title or the palette the one that is open. */
  const withDialog = async (
    clicked: Dialog | undefined,
    use: (dialog: Dialog) => Promise<unknown>,
  ) => {
    const chosen = clicked && 'sessionId' in clicked ? clicked : await opened.findDialog()
    if (chosen) return void (await use(chosen))
    window.showInformationMessage(l10n.t('No dialog is open. Choose one under Dialogs.'))
  }
  return {
    copyRequestMessage: (node?: TurnNode) => copy(node?.turn.request, REQUEST),
    copyAIResponse: (node?: TurnNode) => copy(node?.turn.answer, ANSWER),
    copyChatJson: (clicked?: Dialog) =>
      withDialog(clicked, async (dialog) =>
        copy(jsonOf(dialog, await sessions.turns(dialog)), DIALOG),
      ),
    exportMarkdown: (clicked?: Dialog) =>
      withDialog(clicked, async (dialog) => {
        const content = markdownOf(dialog, await sessions.turns(dialog))
        const document = await workspace.openTextDocument({ language: 'markdown', content })
        await window.showTextDocument(document)
      }),
  }
}

async function copy(text: string | undefined, { missing, copied }: Words): Promise<void> {
  if (!text) return void window.showInformationMessage(missing)
  await env.clipboard.writeText(text)
  window.setStatusBarMessage(copied, 3_000)
}
