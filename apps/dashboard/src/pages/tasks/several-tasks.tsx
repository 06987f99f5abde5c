import { createStore, useStore } from '../../live/store.ts'
import { say } from '../../parts/toasts.tsx'
import { STATES, type State, type Task } from './task.ts'
import { changeTask, deleteTask } from './task-actions.ts'

/** Tasks that are to be changed together. */
export const chosenTasks = createStore<ReadonlyMap<number, Task>>(new Map())

export function toggleChosen(task: Task): void {
  const next = new Map(chosenTasks.get())
  if (!next.delete(task.id)) next.set(task.id, task)
  chosenTasks.set(next)
}

/** What can be done with all that were chosen. */
export function SeveralTasks() {
  const chosen = [...useStore(chosenTasks).values()]
  const done = () => chosenTasks.set(new Map())
  const move = async (state: State) => {
    const moved = await Promise.all(chosen.map(({ id }) => changeTask(id, { state })))
    const count = moved.filter(Boolean).length
    say(`${count} ${count === 1 ? 'task' : 'tasks'} changed`)
    done()
  }
  const label = async () => {
    const given = window.prompt('Label')?.trim()
    if (!given) return
    await Promise.all(
      chosen.map(({ id, labels = [] }) => changeTask(id, { labels: [...labels, given] })),
    )
    done()
  }
  const remove = () => {
    for (const task of chosen) deleteTask(task)
    done()
  }
  const isNone = chosen.length === 0
  return (
    <fieldset class="several">
      <legend class="visually-hidden">Change several tasks</legend>
      <span class="quiet-line" role="status">
        {chosen.length} chosen
      </span>
      {STATES.map(([state, name]) => (
        <button
          key={state}
          type="button"
          class="button"
          disabled={isNone}
          onClick={() => move(state)}
        >
          {name}
        </button>
      ))}
      <button type="button" class="button" disabled={isNone} onClick={label}>
        Add label
      </button>
      <button type="button" class="button danger" disabled={isNone} onClick={remove}>
        Delete
      </button>
    </fieldset>
  )
}
