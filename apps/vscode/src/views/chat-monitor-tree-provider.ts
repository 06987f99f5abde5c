import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { EventEmitter, l10n, ThemeIcon, type TreeDataProvider, TreeItem } from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import { ago, requestCount, STATUSES, titleOf } from './wording.ts'

/** The chat of this window at a glance. */
export class ChatMonitorTreeProvider implements TreeDataProvider<TreeItem> {
  readonly #sessions: DialogSessionsServiceImpl
  readonly #changed = new EventEmitter<void>()
  readonly onDidChangeTreeData = this.#changed.event

  constructor(sessions: DialogSessionsServiceImpl) {
    this.#sessions = sessions
  }

  /** `callerSession` is the session that a call came from, where VS Code says it. */
  async getCurrentSessionId(callerSession?: string): Promise<string | undefined> {
    return (await this.#sessions.findCurrent(callerSession))?.sessionId
  }

  refresh(): void {
    this.#changed.fire()
  }

  getTreeItem(item: TreeItem): TreeItem {
    return item
  }

  async getChildren(parent?: TreeItem): Promise<TreeItem[]> {
    if (parent) return []
    const dialog = await this.#sessions.findCurrent()
    return dialog ? glance(dialog) : []
  }
}

function glance(dialog: Dialog): TreeItem[] {
  const { icon, words } = STATUSES[dialog.status]
  const facts: (readonly [name: string, value: string | undefined, icon: string])[] = [
    [l10n.t('Status'), words, icon],
    [l10n.t('Dialog'), titleOf(dialog), 'comment-discussion'],
    [l10n.t('Requests so far'), requestCount(dialog.requestsCount), 'list-ordered'],
    [l10n.t('Last activity'), ago(dialog.lastSeen), 'history'],
    [l10n.t('Agent'), dialog.agentId, 'robot'],
    [l10n.t('Model'), dialog.modelId, 'chip'],
  ]
  return facts.flatMap(([name, value, icon]) => (value ? [fact(name, value, icon)] : []))
}

function fact(name: string, value: string, icon: string): TreeItem {
  const item = new TreeItem(name)
  item.description = value
  item.tooltip = `${name}: ${value}`
  item.iconPath = new ThemeIcon(icon)
  item.accessibilityInformation = { label: `${name}: ${value}` }
  return item
}
