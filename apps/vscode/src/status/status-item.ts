import { type Disposable, l10n, StatusBarAlignment, window } from 'vscode'
import type { Companions } from '../server/companions.ts'
import type { DialogSessionsServiceImpl } from '../sessions/dialog-sessions-service.ts'
import { openTaskCount, requestCount } from '../views/wording.ts'

const BEHIND_THE_REST = -10

interface Check {
  readonly name: string
  readonly detail: string
}

/** Requests of this chat, open tasks and the state of the index, at the edge of the window. */
export class StatusItem implements Disposable {
  readonly #sessions: DialogSessionsServiceImpl
  readonly #companions: Companions
  readonly #item = window.createStatusBarItem(
    'copilotChatSecretary',
    StatusBarAlignment.Right,
    BEHIND_THE_REST,
  )
  readonly #listening: Disposable

  constructor(sessions: DialogSessionsServiceImpl, companions: Companions) {
    this.#sessions = sessions
    this.#companions = companions
    this.#item.name = 'Chat Secretary'
    this.#item.command = 'copilotChatSecretary.monitor.focus'
    this.#listening = sessions.onDidChange(() => this.update())
    this.update()
  }

  /** Whoever asks does not wait: it is shown when it is known. */
  update(): void {
    this.#show().catch(() => this.#item.hide())
  }

  dispose(): void {
    this.#listening.dispose()
    this.#item.dispose()
  }

  async #show(): Promise<void> {
    const requests = (await this.#sessions.findCurrent())?.requestsCount ?? 0
    const { tasks, index } = await this.#counts()
    const parts = [`$(comment-discussion) ${requests}`]
    if (tasks !== undefined) parts.push(`$(checklist) ${tasks}`)
    this.#item.text = parts.join(' ')
    const lines = [
      l10n.t('{0} in this chat', requestCount(requests)),
      tasks === undefined ? undefined : openTaskCount(tasks),
      index,
    ]
    this.#item.tooltip = lines.filter(Boolean).join('\n')
    this.#item.accessibilityInformation = {
      label: `Secretary: ${lines.filter(Boolean).join(', ')}`,
    }
    this.#item.show()
  }

  /** What a server says that runs already; none is started for this. */
  async #counts(): Promise<{ tasks?: number; index?: string }> {
    const { main } = this.#companions
    if (!main.isRunning) return {}
    const open = { completed: 'false', limit: 1 }
    const { total } = await main.get<{ total: number }>('tasks', open)
    const { checks } = await main.get<{ checks: Check[] }>('health')
    const index = checks.find(({ name }) => name === 'search index')
    return { tasks: total, index: index && l10n.t('Search index: {0}', index.detail) }
  }
}
