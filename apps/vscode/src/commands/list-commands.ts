import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { l10n, window } from 'vscode'
import { offer } from '../offer.ts'
import { CLEARED_AT } from '../views/cleared-at.ts'
import { chooseFilter } from './choose-filter.ts'
import type { CommandParts, Commands } from './commands.ts'

/** What opens a dialog, and what narrows the list of them. */
export function listCommands({ views, memory }: CommandParts): Commands {
  const { opened, dialogs } = views
  const narrow = async (filter: typeof dialogs.filter) => {
    await dialogs.narrow(filter)
    views.describe()
  }
  return {
    openDialog: (dialog?: Dialog) => opened.open(dialog?.sessionId),
    async searchDialogs() {
      const words = await window.showInputBox({
        title: l10n.t('Search Dialogs'),
        prompt: l10n.t('Words from your requests or the title'),
        value: dialogs.filter.words,
      })
      if (words !== undefined) await narrow({ ...dialogs.filter, words: words.trim() || undefined })
    },
    async filterDialogs() {
      const filter = await chooseFilter(dialogs.filter)
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
      const words = l10n.t('The list is cleared. The chats themselves are untouched.')
      offer(words, l10n.t('Undo'), async () => {
        await memory.update(CLEARED_AT, undefined)
        await narrow({ ...dialogs.filter, since: undefined })
      })
    },
  }
}
