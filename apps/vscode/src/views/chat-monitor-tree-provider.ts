import { EventEmitter, ThemeIcon, type TreeDataProvider, TreeItem } from 'vscode'
import type { Dialog } from '../../../../src/dialogs/dialog.ts'
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

  /** `told` is the session that a call came from, where VS Code says it. */
  async getCurrentSessionId(told?: string): Promise<string | undefined> {
    return (await this.#sessions.findCurrent(told))?.sessionId
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
    ['Status', words, icon],
    ['Dialog', titleOf(dialog), 'comment-discussion'],
    ['Requests so far', requestCount(dialog.requestsCount), 'list-ordered'],
    ['Last activity', ago(dialog.lastSeen), 'history'],
    ['Agent', dialog.agentId, 'robot'],
    ['Model', dialog.modelId, 'chip'],
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
