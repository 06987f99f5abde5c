import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { commands, l10n, window } from 'vscode'
import type { Commands } from '../commands/commands.ts'
import { ago, oneLine } from '../views/wording.ts'
import type { WhyRequests } from './why-requests.ts'

/** The same as the hover for those who do not point. */
export function whyCommands(why: () => Promise<WhyRequests>): Commands {
  return {
    async whyThisLine() {
      const editor = window.activeTextEditor
      if (!editor)
        return void window.showInformationMessage(l10n.t('Open a file and go to a line.'))
      const reasons = await (await why()).of(editor.document, editor.selection.active.line + 1)
      if (reasons.length === 0)
        return void window.showInformationMessage(l10n.t('No recorded request led to this line.'))
      const chosen = await window.showQuickPick(
        reasons.map(({ sessionId, source, index, timestamp, request }) => ({
          label: oneLine(request),
          description: `${agentName(source)}, ${ago(timestamp)}`,
          place: [sessionId, index] as const,
        })),
        {
          title: l10n.t('Why Is This Line Here?'),
          placeHolder: l10n.t('Choose a request to read it in full'),
        },
      )
      if (chosen) await commands.executeCommand('copilotChatSecretary.openRequest', ...chosen.place)
    },
  }
}
