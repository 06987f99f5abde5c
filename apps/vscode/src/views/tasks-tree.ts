import { EventEmitter, l10n, type TreeDataProvider, TreeItem, TreeItemCheckboxState } from 'vscode'
import type { Companions } from '../server/companions.ts'
import { oneLine } from './wording.ts'

const MAX_SHOWN = 100

export interface TaskRow {
  readonly id: number
  readonly title: string
  readonly description?: string | null
  readonly completed: boolean
}

/** What is left to do, and what was done, to be ticked off. */
export class TasksTree implements TreeDataProvider<TaskRow> {
  readonly #companions: Companions
  readonly #changed = new EventEmitter<void>()
  readonly onDidChangeTreeData = this.#changed.event

  constructor(companions: Companions) {
    this.#companions = companions
  }

  async getChildren(parent?: TaskRow): Promise<TaskRow[]> {
    if (parent) return []
    const { tasks } = await this.#companions.main.get<{ tasks: TaskRow[] }>('tasks', {
      limit: MAX_SHOWN,
    })
    return tasks.toSorted((one, other) => Number(one.completed) - Number(other.completed))
  }

  getTreeItem({ id, title, description, completed }: TaskRow): TreeItem {
    const item = new TreeItem(oneLine(title))
    item.id = `task-${id}`
    item.description = `#${id}`
    item.tooltip = description ?? title
    item.contextValue = 'secretaryTask'
    item.checkboxState = {
      state: completed ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked,
      accessibilityInformation: {
        label: `${title}, ${completed ? l10n.t('done') : l10n.t('to do')}`,
      },
    }
    return item
  }

  async tick(changed: ReadonlyArray<readonly [TaskRow, TreeItemCheckboxState]>): Promise<void> {
    for (const [{ id }, state] of changed)
      await this.#companions.main.send('PATCH', `tasks/${id}`, {
        completed: state === TreeItemCheckboxState.Checked,
      })
    this.refresh()
  }

  async add(title: string): Promise<void> {
    await this.#companions.main.send('POST', 'tasks', { title })
    this.refresh()
  }

  refresh(): void {
    this.#changed.fire()
  }
}
