import type { PlannedTask, Task } from './task-store.ts'

/** As the tools show it. */
export function shownTask({ project: _, position: __, ...task }: PlannedTask): Task {
  return task
}
