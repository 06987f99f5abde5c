import { type QuickPickItem, window } from 'vscode'
import type { SessionFilter } from '../sessions/dialog-sessions-service.ts'
import { STATUSES } from '../views/wording.ts'

interface Choice extends QuickPickItem {
  readonly filter: Partial<SessionFilter>
}

const CHOICES: readonly Choice[] = [
  {
    label: '$(folder) This folder',
    description: 'chats of this window',
    filter: { everywhere: undefined },
  },
  {
    label: '$(folder-library) All folders',
    description: 'chats of every window',
    filter: { everywhere: true },
  },
  { label: '$(list-flat) Any status', filter: { status: undefined } },
  ...(['in_progress', 'completed', 'canceled', 'failed'] as const).map((status) => ({
    label: `$(${STATUSES[status].icon}) Only ${STATUSES[status].words}`,
    filter: { status },
  })),
]

/** The filter with one choice applied; undefined where nothing was chosen. */
export async function chooseFilter(before: SessionFilter): Promise<SessionFilter | undefined> {
  const choice = await window.showQuickPick([...CHOICES], {
    title: 'Filter Dialogs',
    placeHolder: 'Which dialogs to list',
  })
  return choice && { ...before, ...choice.filter }
}
