import { whenPersonLeaves } from '../../live/person.ts'
import type { changesIn } from './task-fields.tsx'

type Changes = ReturnType<typeof changesIn>

/** What was typed into a task and neither saved nor discarded. */
const unsaved = new Map<number, Changes>()

export function keepUnsaved(id: number, changes: Changes): void {
  if (Object.keys(changes).length > 0) unsaved.set(id, changes)
}

export function takeUnsaved(id: number): Changes | undefined {
  const found = unsaved.get(id)
  unsaved.delete(id)
  return found
}

whenPersonLeaves(() => unsaved.clear())
