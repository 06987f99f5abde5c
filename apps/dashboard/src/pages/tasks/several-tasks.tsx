import { useEffect, useRef, useState } from 'preact/hooks'
import { createStore, useStore } from '../../live/store.ts'
import { say } from '../../parts/toasts.tsx'
import { LabelForm } from './label-form.tsx'
import { STATES, type Task } from './task.ts'
import { changeTask, deleteTask } from './task-actions.ts'

/** Tasks that are to be changed together. */
export const chosenTasks = createStore<ReadonlyMap<number, Task>>(new Map())

export function toggleChosen(task: Task): void {
  const next = new Map(chosenTasks.get())
  if (!next.delete(task.id)) next.set(task.id, task)
  chosenTasks.set(next)
}

/** What the person sees of it now. */
export function refreshChosen(task: Task): void {
  const known = chosenTasks.get().get(task.id)
  if (known && known !== task) chosenTasks.set(new Map(chosenTasks.get()).set(task.id, task))
}

/** What can be done with all that were chosen. */
export function SeveralTasks() {
  const chosen = [...useStore(chosenTasks).values()]
  const count = useRef<HTMLSpanElement>(null)
  const labelButton = useRef<HTMLButtonElement>(null)
  const [isLabelling, setLabelling] = useState(false)
  const wasLabelling = useRef(false)
  const isNone = chosen.length === 0
  useEffect(() => {
    if (isNone) setLabelling(false)
  }, [isNone])
  useEffect(() => {
    if (wasLabelling.current && !isLabelling) labelButton.current?.focus()
    wasLabelling.current = isLabelling
  }, [isLabelling])
  // With nothing chosen every button is off: the focus goes to what says so.
  const done = () => {
    chosenTasks.set(new Map())
    count.current?.focus()
  }
  const change = async (changesOf: (task: Task) => Parameters<typeof changeTask>[1]) => {
    const changed = await Promise.all(chosen.map((task) => changeTask(task, changesOf(task))))
    const total = changed.filter(Boolean).length
    // Where none was changed, the reason is on screen already.
    if (total > 0) say(`${total} ${total === 1 ? 'task' : 'tasks'} changed`)
    done()
  }
  const label = (given: string) =>
    change(({ labels = [] }) => ({ labels: [...new Set([...labels, given])] }))
  const remove = () => {
    for (const task of chosen) deleteTask(task)
    done()
  }
  return (
    <fieldset class="several">
      <legend class="visually-hidden">Change several tasks</legend>
      <span ref={count} tabIndex={-1} class="quiet-line" role="status">
        {chosen.length} chosen
      </span>
      {STATES.map(([state, name]) => (
        <button
          key={state}
          type="button"
          class="button"
          disabled={isNone}
          onClick={() => change(() => ({ state }))}
        >
          {name}
        </button>
      ))}
      {isLabelling && !isNone ? (
        <LabelForm onLabel={label} onClose={() => setLabelling(false)} />
      ) : (
        <button
          ref={labelButton}
          type="button"
          class="button"
          disabled={isNone}
          onClick={() => setLabelling(true)}
        >
          Add label
        </button>
      )}
      <button type="button" class="button danger" disabled={isNone} onClick={remove}>
        Delete
      </button>
    </fieldset>
  )
}
