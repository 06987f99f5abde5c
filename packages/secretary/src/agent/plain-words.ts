import type { PendingCall, ToolUse } from './agent.ts'

/** A call as a person would put it. */
export function describeCall({ name, args, result }: PendingCall & Partial<ToolUse>): string {
  const { task_id: id, title } = args as { task_id?: number; title?: string }
  const task = (result?.value as { task?: { title?: string } } | undefined)?.task?.title ?? title
  const subject = task ? `“${task}”` : id === undefined ? '' : `task ${id}`
  const verb = VERBS.get(name)
  return verb ? `${verb} ${subject}`.trim() : name.replaceAll('_', ' ')
}

const VERBS = new Map([
  ['add_task', 'add'],
  ['list_tasks', 'list the tasks'],
  ['complete_task', 'complete'],
  ['update_task', 'change'],
  ['delete_task', 'delete'],
])
/** What the conversation's context says was done. */
export function actionTaken(uses: readonly ToolUse[]): string {
  const last = uses.findLast(({ result }) => result.success)
  return last?.name ?? 'none'
}

export function modifiedTasks(uses: readonly ToolUse[]): number[] {
  const changed = uses.filter(
    ({ name, result }) =>
      result.success && ['add_task', 'complete_task', 'update_task', 'delete_task'].includes(name),
  )
  const ids = changed.map(({ result }) => {
    const value = result.value as { task?: { id?: number }; deleted_task_id?: number }
    return value.task?.id ?? value.deleted_task_id
  })
  return [...new Set(ids.filter((id): id is number => id !== undefined))]
}
