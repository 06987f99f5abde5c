import { l10n, type QuickPickItem, window } from 'vscode'
import type { SessionFilter } from '../sessions/dialog-sessions-service.ts'
import { STATUSES } from '../views/wording.ts'

interface Choice extends QuickPickItem {
  readonly filter: Partial<SessionFilter>
}

const CHOICES: readonly Choice[] = [
  {
    label: `$(folder) ${l10n.t('This folder')}`,
    description: l10n.t('chats of this window'),
    filter: { everywhere: undefined },
  },
  {
    label: `$(folder-library) ${l10n.t('All folders')}`,
    description: l10n.t('chats of every window'),
    filter: { everywhere: true },
  },
  { label: `$(list-flat) ${l10n.t('Any status')}`, filter: { status: undefined } },
  ...(['in_progress', 'completed', 'canceled', 'failed'] as const).map((status) => ({
    label: `$(${STATUSES[status].icon}) ${l10n.t('Only {0}', STATUSES[status].words)}`,
    filter: { status },
  })),
]

/** The filter with one choice applied; undefined where nothing was chosen. */
export async function chooseFilter(before: SessionFilter): Promise<SessionFilter | undefined> {
  const choice = await window.showQuickPick([...CHOICES], {
    title: l10n.t('Filter Dialogs'),
    placeHolder: l10n.t('Which dialogs to list'),
  })
  return choice && { ...before, ...choice.filter }
}
