import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { commands, EventEmitter, l10n, ThemeIcon, type TreeDataProvider, TreeItem } from 'vscode'
import type {
  DialogSessionsServiceImpl,
  SessionFilter,
} from '../sessions/dialog-sessions-service.ts'
import type { ListedDialog } from '../sessions/other-agents-port.ts'
import { ago, requestCount, STATUSES, titleOf } from './wording.ts'

const MAX_SHOWN = 500

interface NoteNode {
  readonly note: string
}

export type DialogNode = ListedDialog | NoteNode

/** Every chat, newest first, narrowed by the filter. */
export class DialogsTreeProvider implements TreeDataProvider<DialogNode> {
  readonly #sessions: DialogSessionsServiceImpl
  readonly #changed = new EventEmitter<void>()
  readonly onDidChangeTreeData = this.#changed.event
  #filter: SessionFilter

  constructor(sessions: DialogSessionsServiceImpl, filter: SessionFilter = {}) {
    this.#sessions = sessions
    this.#filter = filter
  }

  get filter(): SessionFilter {
    return this.#filter
  }

  async narrow(filter: SessionFilter): Promise<void> {
    this.#filter = filter
    const isNarrowed = Boolean(filter.words || filter.status || filter.everywhere)
    const isCleared = Boolean(filter.since) && !isNarrowed
    // What the view says where it is empty depends on them.
    await commands.executeCommand(
      'setContext',
      'copilotChatSecretary.filtered',
      isNarrowed || isCleared,
    )
    await commands.executeCommand('setContext', 'copilotChatSecretary.cleared', isCleared)
    this.refresh()
  }

  /** What the view's title says about the filter. */
  get description(): string {
    const { words, status, everywhere, since } = this.#filter
    const parts = [
      words && `“${words}”`,
      status && STATUSES[status].words,
      everywhere && l10n.t('all folders'),
      since && l10n.t('since the list was cleared'),
    ]
    return parts.filter(Boolean).join(', ')
  }

  refresh(): void {
    this.#changed.fire()
  }

  async getChildren(node?: DialogNode): Promise<DialogNode[]> {
    if (node) return []
    const dialogs = await this.#sessions.list(this.#filter)
    if (dialogs.length <= MAX_SHOWN) return dialogs
    return [
      ...dialogs.slice(0, MAX_SHOWN),
      { note: l10n.t('{0} more: search or filter to see them', dialogs.length - MAX_SHOWN) },
    ]
  }

  getTreeItem(node: DialogNode): TreeItem {
    return 'note' in node ? new TreeItem(node.note) : dialogItem(node)
  }
}

function dialogItem(dialog: ListedDialog): TreeItem {
  const { icon, words } = STATUSES[dialog.status]
  const item = new TreeItem(titleOf(dialog))
  const agent = dialog.source === 'vscode' ? '' : `${agentName(dialog.source)}, `
  const aside = dialog.archived ? `, ${l10n.t('archived')}` : ''
  const about = `${agent}${requestCount(dialog.requestsCount)}, ${ago(dialog.lastSeen)}${aside}`
  item.id = dialog.key
  item.description = about
  item.tooltip = `${titleOf(dialog)}\n${words}, ${about}${dialog.project ? `\n${dialog.project}` : ''}`
  item.iconPath = new ThemeIcon(icon)
  item.contextValue = dialog.source === 'vscode' ? 'secretaryDialog.own' : 'secretaryDialog'
  item.command = {
    command: 'copilotChatSecretary.openDialog',
    title: l10n.t('Open Dialog'),
    arguments: [dialog],
  }
  item.accessibilityInformation = { label: `${titleOf(dialog)}, ${words}, ${about}` }
  return item
}
