import { whenPersonLeaves } from '../../live/person.ts'
import type { Task } from './task.ts'
import type { changesIn } from './task-fields.tsx'

interface Unsaved {
  readonly changes: ReturnType<typeof changesIn>
  /** The task as it was when the person began. */
  readonly before: Task
}

/** What was typed into a task and neither saved nor discarded. */
const unsaved = new Map<number, Unsaved>()

export function keepUnsaved(given: Unsaved): void {
  if (Object.keys(given.changes).length > 0) unsaved.set(given.before.id, given)
}

export function takeUnsaved(id: number): Unsaved | undefined {
  const found = unsaved.get(id)
  unsaved.delete(id)
  return found
}

whenPersonLeaves(() => unsaved.clear())
