import type { AnswerOf } from '../../live/api-types.ts'
import type { RequestLink } from './request-links.ts'

export type TaskList = AnswerOf<'get /api/v1/tasks'>
export type Task = TaskList['tasks'][number]
export type Links = ReadonlyMap<number, RequestLink>
export type State = 'open' | 'doing' | 'blocked' | 'done'

export const STATES: readonly (readonly [State, string])[] = [
  ['open', 'Open'],
  ['doing', 'Doing'],
  ['blocked', 'Blocked'],
  ['done', 'Done'],
]

export function stateOf({ completed, state }: Task): State {
  return completed ? 'done' : (state ?? 'open')
}

/** What it says in these fields, for a change that must not undo what others do meanwhile. */
export function baseOf(task: Task, changes: object) {
  const { title, description, completed, priority, labels = [], files = [], position } = task
  const all = {
    title,
    description: description ?? '',
    completed,
    state: stateOf(task),
    priority: priority ?? 'normal',
    labels,
    files,
    position: position ?? null,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in changes))
}

/** Where it stands in the list: what nobody moved comes newest first. */
export function placeOf({ id, position }: Task): number {
  return position ?? -id
}

/** A place between two neighbours; beside one where there is no other. */
export function placeBetween(before: Task | undefined, after: Task | undefined): number {
  if (before && after) return (placeOf(before) + placeOf(after)) / 2
  if (after) return placeOf(after) - 1
  return before ? placeOf(before) + 1 : 0
}
