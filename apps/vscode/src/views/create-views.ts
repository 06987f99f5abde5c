import { type Disposable, window, workspace } from 'vscode'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import { ChatMonitorTreeProvider } from './chat-monitor-tree-provider.ts'
import { DialogsTreeProvider } from './dialogs-tree-provider.ts'
import { OpenedDialogTreeProvider } from './opened-dialog-tree-provider.ts'

export interface Views {
  readonly monitor: ChatMonitorTreeProvider
  readonly opened: OpenedDialogTreeProvider
  readonly dialogs: DialogsTreeProvider
  /** Says in the title of the list how it is narrowed. */
  describe(): void
  readonly disposables: readonly Disposable[]
}

const SHORTEST_INTERVAL_MS = 1_000

export function createViews(
  sessions: DialogSessionsServiceImpl,
  clearedAt: number | undefined,
): Views {
  const monitor = new ChatMonitorTreeProvider(sessions)
  const opened = new OpenedDialogTreeProvider(sessions)
  const dialogs = new DialogsTreeProvider(sessions, { since: clearedAt })
  const monitorView = window.createTreeView('copilotChatSecretary.monitor', {
    treeDataProvider: monitor,
  })
  const openedView = window.createTreeView('copilotChatSecretary.openedDialog', {
    treeDataProvider: opened,
    showCollapseAll: true,
  })
  const dialogsView = window.createTreeView('copilotChatSecretary.dialogs', {
    treeDataProvider: dialogs,
  })
  const all = [monitorView, openedView, dialogsView]

  const describe = () => {
    dialogsView.description = dialogs.description
  }
  // A list that was cleared in an earlier window still is, and its title and its welcome have to say so.
  if (clearedAt !== undefined) void dialogs.narrow(dialogs.filter).then(describe)
  const naming = opened.onDidShow((title) => {
    openedView.description = title
  })
  const changes = sessions.onDidChange(() => {
    for (const provider of [monitor, opened, dialogs]) provider.refresh()
  })
  const timer = checkNowAndThen(sessions, () => all.some(({ visible }) => visible))
  return { monitor, opened, dialogs, describe, disposables: [...all, changes, naming, timer] }
}

/** For file systems that report no changes; nothing runs while no view is to be seen. */
function checkNowAndThen(
  sessions: DialogSessionsServiceImpl,
  isWatched: () => boolean,
): Disposable {
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    clearInterval(timer)
    const everyMs = workspace
      .getConfiguration('copilotChatSecretary')
      .get<number>('checkInterval', 0)
    if (!(everyMs > 0)) return
    timer = setInterval(
      () => {
        if (isWatched()) sessions.refresh().catch(() => {})
      },
      Math.max(SHORTEST_INTERVAL_MS, everyMs),
    )
  }
  start()
  const listening = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('copilotChatSecretary.checkInterval')) start()
  })
  return {
    dispose() {
      clearInterval(timer)
      listening.dispose()
    },
  }
}
