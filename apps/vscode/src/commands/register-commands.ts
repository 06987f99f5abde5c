import {
  commands,
  type Disposable,
  env,
  type LogOutputChannel,
  type Memento,
  window,
  workspace,
} from 'vscode'
import type { Dialog } from '../../../../src/dialogs/dialog.ts'
import { offer } from '../offer.ts'
import { inherited } from '../server/inherited.ts'
import type { LazyDashboard } from '../server/lazy-dashboard.ts'
import { serverProgram } from '../server/server-program.ts'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import type { Views } from '../views/create-views.ts'
import type { TurnNode } from '../views/opened-dialog-tree-provider.ts'

/** What only the first use needs. */
const later = async () => (await import('../first-use.ts')).firstUse

export const CLEARED_AT = 'clearedAt'

interface Parts {
  readonly sessions: DialogSessionsServiceImpl
  readonly views: Views
  readonly channel: LogOutputChannel
  readonly dashboard: LazyDashboard
  readonly memory: Memento
  readonly extensionPath: string
}

export function registerCommands({
  sessions,
  views,
  channel,
  dashboard,
  memory,
  extensionPath,
}: Parts): Disposable[] {
  const { opened, dialogs } = views
  const narrow = async (filter: typeof dialogs.filter) => {
    await dialogs.narrow(filter)
    views.describe()
  }
  const refresh = async () => {
    await sessions.joinLive()
    await sessions.refresh()
  }
  /** From a context menu the dialog that was clicked, from a title or the palette the one that is open. */
  const withTurns = async (
    dialog: Dialog | undefined,
    use: (dialog: Dialog, text: typeof turnsOf) => Promise<void>,
  ) => {
    const chosen = dialog && 'sessionId' in dialog ? dialog : await opened.findDialog()
    if (chosen) return use(chosen, turnsOf)
    window.showInformationMessage('No dialog is open. Choose one under Dialogs.')
  }
  const turnsOf = (dialog: Dialog) => sessions.turns(dialog)
  const copy = async (text: string | undefined, what: string) => {
    if (!text) return void window.showInformationMessage(`There is no ${what} to copy yet.`)
    await env.clipboard.writeText(text)
    window.setStatusBarMessage(`The ${what} was copied`, 3_000)
  }

  const all: Readonly<Record<string, (argument?: never) => unknown>> = {
    refreshStatus: refresh,
    refreshDialogs: refresh,
    showLogs: () => channel.show(),
    openDashboard: () => dashboard.open(),
    async trustRules() {
      const { trustRules } = await later()
      await trustRules(serverProgram(extensionPath), inherited())
    },
    openDialog: (dialog?: Dialog) => opened.open(dialog?.sessionId),
    openCurrentDialog: () => opened.open(undefined),
    copyRequestMessage: (node?: TurnNode) => copy(node?.turn.request, 'request'),
    copyAIResponse: (node?: TurnNode) => copy(node?.turn.answer, 'answer'),
    copyChatJson: (dialog?: Dialog) =>
      withTurns(dialog, async (chosen, turns) =>
        copy((await later()).jsonOf(chosen, await turns(chosen)), 'dialog'),
      ),
    exportMarkdown: (dialog?: Dialog) =>
      withTurns(dialog, async (chosen, turns) => {
        const content = (await later()).markdownOf(chosen, await turns(chosen))
        await window.showTextDocument(
          await workspace.openTextDocument({ language: 'markdown', content }),
        )
      }),
    async searchDialogs() {
      const words = await window.showInputBox({
        title: 'Search Dialogs',
        prompt: 'Words from your requests or the title',
        value: dialogs.filter.words,
      })
      if (words !== undefined) await narrow({ ...dialogs.filter, words: words.trim() || undefined })
    },
    async filterDialogs() {
      const filter = await (await later()).chooseFilter(dialogs.filter)
      if (filter) await narrow(filter)
    },
    clearFilter: async () => {
      await memory.update(CLEARED_AT, undefined)
      await narrow({})
    },
    showEverywhere: () => narrow({ ...dialogs.filter, everywhere: true }),
    async clearHistory() {
      const now = Date.now()
      await memory.update(CLEARED_AT, now)
      await narrow({ ...dialogs.filter, since: now })
      offer('The list is cleared. The chats themselves are untouched.', 'Undo', async () => {
        await memory.update(CLEARED_AT, undefined)
        await narrow({ ...dialogs.filter, since: undefined })
      })
    },
  }
  return Object.entries(all).map(([name, run]) =>
    commands.registerCommand(`copilotChatSecretary.${name}`, run),
  )
}
