import type { Pages } from '../../live/use-pages.ts'
import { placeBetween, type State, stateOf, type Task } from './task.ts'
import { changeTask } from './task-actions.ts'

/** What is being dragged, in the list or on the board. */
let dragged: Task | undefined

export function beginDrag(event: DragEvent, task: Task): void {
  dragged = task
  event.dataTransfer?.setData('text/plain', task.title)
}

export function endDrag(): void {
  dragged = undefined
}

/** Puts what is dragged before or after a row, and into its state where that is another. */
export function dropOn(event: DragEvent, list: Pages<Task>, index: number, state?: State): void {
  event.preventDefault()
  event.stopPropagation()
  const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect()
  const isAfter = event.clientY > top + height / 2
  if (dragged) void place(dragged, list, isAfter ? index + 1 : index, state)
  dragged = undefined
}

/** At the top of a column. */
export function dropInto(event: DragEvent, list: Pages<Task>, state: State): void {
  event.preventDefault()
  if (dragged) void place(dragged, list, 0, state)
  dragged = undefined
}

/** One place up or down. */
export async function step(
  task: Task,
  list: Pages<Task>,
  index: number,
  by: 1 | -1,
): Promise<void> {
  await place(task, list, by === 1 ? index + 2 : index - 1)
}

/** Before the row that is now at this place. */
async function place(task: Task, list: Pages<Task>, index: number, state?: State): Promise<void> {
  const total = list.total ?? 0
  if (index < 0 || index > total) return
  const before = neighbour(list, task, index - 1, -1)
  const after = neighbour(list, task, index, 1)
  const isMoved = state !== undefined && state !== stateOf(task)
  await changeTask(task, {
    ...(before || after ? { position: placeBetween(before, after) } : {}),
    ...(isMoved ? { state } : {}),
  })
}

/** The nearest row that is not the moved one itself. */
function neighbour(list: Pages<Task>, { id }: Task, from: number, by: 1 | -1): Task | undefined {
  const found = list.item(from)
  return found?.id === id ? list.item(from + by) : found
}
