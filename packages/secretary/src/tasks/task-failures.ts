import { Failure } from '@secretary-mcp/core/failure.ts'
import type { PlannedTask } from './task-store.ts'

/** The same words whether it never was or is somebody else's. */
export function notFound(): Failure {
  return new Failure('not_found', 'Task not found', {
    instruction: 'Call `list_tasks` to see the ids.',
  })
}

/** Somebody changed it after the caller had last seen it. */
export function changedSince(task: PlannedTask): Failure {
  return new Failure('changed_meanwhile', `“${task.title}” was changed meanwhile and is kept`, {
    data: { task },
  })
}

/** It is shared with the caller, whose role does not allow the change. */
export function mayNotChange({ space }: PlannedTask): Failure {
  return new Failure(
    'forbidden',
    `Your role in the space ${space} does not allow this change: members may edit and complete its tasks, and a task’s owner or an operator of the space may delete it or stop sharing it`,
    { instruction: 'Do not look for another way. Tell the person to ask an operator of it.' },
  )
}
