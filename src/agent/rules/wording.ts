import type { Result } from '../../core/result.ts'
import type { KnownTask } from './find-task.ts'

export const MOST_SHOWN = 20

const NEXT_STEPS = new Map([
  ['not_found', 'Say “list my tasks” to see what is there.'],
  ['already_completed', 'Say “reopen” and its number if it is not.'],
  ['rate_limited', 'Wait a moment and say it again.'],
  ['validation_error', 'Say it again with other words.'],
])

/** Why a call failed, without the tools' own names, and what to do next. */
export function sentence({ error = '', errorType = '' }: Result): string {
  const plain = error.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => name.replaceAll('_', ' '))
  const next = NEXT_STEPS.get(errorType) ?? 'Say “list my tasks” to see what is there.'
  return `${plain.charAt(0).toLowerCase()}${plain.slice(1)}. ${next}`
}

export function listText(
  { tasks, total }: { tasks: readonly KnownTask[]; total: number },
  completed?: boolean,
): string {
  const kind = completed === undefined ? '' : completed ? 'completed ' : 'open '
  if (total === 0) return `You have no ${kind}tasks.`
  const lines = tasks
    .slice(0, MOST_SHOWN)
    .map((task) => `${task.completed ? '✓' : '·'} ${task.id}  ${task.title}`)
  const more = total > lines.length ? `\n… and ${total - lines.length} more.` : ''
  return `You have ${total} ${kind}${total === 1 ? 'task' : 'tasks'}:\n${lines.join('\n')}${more}`
}
