import { commands, l10n, window } from 'vscode'
import type { Services } from '../services.ts'
import type { Commands } from './commands.ts'

const SHORTEST_QUERY = 3

/** Searching by meaning, and tasks. */
export function workCommands(services: () => Promise<Services>): Commands {
  return {
    async searchByMeaning(given?: string) {
      const query =
        typeof given === 'string'
          ? given
          : await window.showInputBox({
              title: l10n.t('Search by Meaning'),
              prompt: l10n.t('What are you looking for, in code, requests and decisions?'),
              validateInput: (text) =>
                text.trim().length < SHORTEST_QUERY
                  ? l10n.t('Type at least {0} characters', SHORTEST_QUERY)
                  : undefined,
            })
      if (!query) return
      await commands.executeCommand('copilotChatSecretary.search.focus')
      await (await services()).search.search(query.trim())
    },
    refreshTasks: async () => (await services()).tasks.refresh(),
    async addTask() {
      const title = await window.showInputBox({
        title: l10n.t('New Task'),
        prompt: l10n.t('What is to be done?'),
      })
      if (title?.trim()) await (await services()).tasks.add(title.trim())
    },
  }
}
