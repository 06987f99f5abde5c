import type { PlannedTask, Task } from './task-store.ts'

/** As the contract's tools show it, whatever else is known of it. */
export function shownTask(task: PlannedTask): Task {
  const { id, title, description, completed, created_at, updated_at, space } = task
  const changed = updated_at === undefined ? {} : { updated_at }
  const shared = space === undefined ? {} : { space }
  return { id, title, description, completed, created_at, ...changed, ...shared }
}
