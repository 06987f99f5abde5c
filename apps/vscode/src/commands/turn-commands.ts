import { Buffer } from 'node:buffer'
import type { Dialog, Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { commands, l10n, Uri, window } from 'vscode'
import { showChangesSince } from '../reading/changes-since.ts'
import { turnUri } from '../reading/turn-document.ts'
import { projectFolders } from '../server/project-folders.ts'
import type { TurnNode } from '../views/opened-dialog-tree-provider.ts'
import type { CommandParts, Commands } from './commands.ts'

/** What can be done with one request. */
export function turnCommands({ sessions, views: { opened }, services }: CommandParts): Commands {
  /** The documents of requests come with what runs beside the editor. */
  const show = async (turn: Pick<Turn, 'sessionId' | 'position' | 'request'>) => {
    await services()
    await commands.executeCommand('markdown.showPreview', turnUri(turn))
  }
  const withTurn = async (node: TurnNode | undefined, use: (turn: Turn) => Thenable<unknown>) => {
    if (node) await use(node.turn)
    else window.showInformationMessage(l10n.t('Choose a request in the view Opened Dialog.'))
  }
  const ask = (query: string, isPartialQuery: boolean) =>
    commands.executeCommand('workbench.action.chat.open', { query, isPartialQuery })
  return {
    showTurn: (node?: TurnNode) => withTurn(node, show),
    /** From a hover or another place that knows no more than where the request is. */
    async openRequest(sessionId: string, position: number) {
      opened.open(sessionId)
      const dialog = await sessions.findSession(sessionId)
      const turn = dialog && (await sessions.findTurn(dialog, position))
      if (turn) await show(turn)
      else window.showInformationMessage(l10n.t('This request is not on this machine any more.'))
    },
    askAgain: (node?: TurnNode) => withTurn(node, ({ request }) => ask(request, false)),
    insertIntoChat: (node?: TurnNode) => withTurn(node, ({ request }) => ask(request, true)),
    showChanges: (node?: TurnNode) =>
      withTurn(node, ({ project, time, position }) => {
        const folder = project ?? projectFolders()[0]?.path
        return folder === undefined
          ? Promise.resolve(
              window.showInformationMessage(l10n.t('Open a folder to see what changed in it.')),
            )
          : showChangesSince(folder, time, position)
      }),
    async openInChat(clicked?: Dialog) {
      const dialog = clicked ?? (await opened.findDialog())
      if (dialog?.source !== 'vscode')
        return void window.showInformationMessage(
          l10n.t('Only chats of VS Code can be opened in its chat.'),
        )
      const id = Buffer.from(dialog.sessionId).toString('base64')
      await commands.executeCommand(
        'vscode.open',
        Uri.from({ scheme: 'vscode-chat-session', authority: 'local', path: `/${id}` }),
      )
    },
  }
}
