import type { Result } from '../core/result.ts'
import type { Change } from './agent.ts'
import { quoted } from './facts.ts'
import type { TaskFacts } from './toolbox.ts'

/** What a call that succeeded changed, how that is taken back, and what was there before. */
export function changeOf(
  tool: string,
  args: unknown,
  before: TaskFacts | undefined,
  result: Result,
): Change {
  if (tool === 'add_task') {
    const id = (result.value as { task?: { id?: number } } | undefined)?.task?.id
    return id === undefined ? {} : { undo: { name: 'delete_task', args: { task_id: id } } }
  }
  if (!before) return {}
  const { id, title, description, completed } = before
  const undo = (fields: object) => ({
    name: 'update_task',
    args: { task_id: id, ...fields },
  })
  if (tool === 'complete_task') return { undo: undo({ completed }) }
  if (tool !== 'update_task') return {}
  const wanted = args as { title?: string; description?: string; completed?: boolean }
  const told = [
    ...(wanted.title === undefined ? [] : [`Task ${id} was ${quoted(title)} before.`]),
    ...(wanted.description === undefined ? [] : [describedBefore(id, description)]),
  ]
  return {
    undo: undo({
      ...(wanted.title === undefined ? {} : { title }),
      ...(wanted.description === undefined ? {} : { description: description ?? '' }),
      ...(wanted.completed === undefined ? {} : { completed }),
    }),
    ...(told.length > 0 ? { before: told.join(' ') } : {}),
  }
}

function describedBefore(id: number, description: string | null): string {
  return description
    ? `The description of task ${id} was ${quoted(description)} before.`
    : `Task ${id} had no description before.`
}
