import type { TaskChanges } from '../../tasks/task-store.ts'

/** What the contract's tools take, and what plans the work. */
export function partedTask({ state, priority, labels, files, position, ...said }: TaskChanges) {
  const plan = { state, priority, labels, files, position }
  const isPlanned = Object.values(plan).some((value) => value !== undefined)
  return { said, plan: isPlanned ? plan : undefined }
}
