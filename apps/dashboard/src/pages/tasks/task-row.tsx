import { useEffect } from 'preact/hooks'
import { useStore } from '../../live/store.ts'
import type { Pages } from '../../live/use-pages.ts'
import { When } from '../../parts/when.tsx'
import { beginDrag, dropOn, endDrag, step } from './reorder.ts'
import type { RequestLink } from './request-links.ts'
import { RequestOrigin } from './request-origin.tsx'
import { chosenTasks, refreshChosen, toggleChosen } from './several-tasks.tsx'
import type { Task } from './task.ts'
import { deleteTask, keepTask, leaving, setCompleted } from './task-actions.ts'
import { TaskTags } from './task-tags.tsx'

interface TaskRowProps {
  readonly task: Task | undefined
  readonly index: number
  readonly list: Pages<Task>
  readonly link?: RequestLink
  /** Boxes choose tasks instead of completing them. */
  readonly choosing: boolean
  readonly onEdit: (task: Task) => void
}

export function TaskRow({ task, index, list, link, choosing, onEdit }: TaskRowProps) {
  const gone = useStore(leaving).has(task?.id ?? -1)
  const isChosen = useStore(chosenTasks).has(task?.id ?? -1)
  useEffect(() => {
    if (task) refreshChosen(task)
  }, [task])
  if (!task) return <div class="row" aria-busy="true" />
  if (gone) {
    return (
      <div class="row leaving">
        <s class="row-main">{task.title}</s>
        <button
          type="button"
          class="button quiet"
          data-control="delete"
          onClick={() => keepTask(task.id)}
        >
          Undo
        </button>
      </div>
    )
  }
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (!event.altKey || by === undefined) return taskKeys(event, task, onEdit)
    event.preventDefault()
    event.stopPropagation()
    void step(task, list, index, by)
  }
  return (
    <article
      class="row"
      data-done={task.completed}
      draggable
      onDragStart={(event) => beginDrag(event, task)}
      onDragEnd={endDrag}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => dropOn(event, list, index)}
      onKeyDown={keys}
    >
      {choosing ? (
        <input
          type="checkbox"
          data-control="done"
          checked={isChosen}
          aria-label={`Choose ${task.title}`}
          onChange={() => toggleChosen(task)}
        />
      ) : (
        <input
          type="checkbox"
          data-control="done"
          checked={task.completed}
          aria-label={`${task.title}: ${task.completed ? 'done' : 'open'}`}
          onChange={(event) => setCompleted(task, event.currentTarget.checked)}
        />
      )}
      <button
        type="button"
        class="row-main row-title"
        data-control="title"
        onClick={() => onEdit(task)}
      >
        <span class="title">{task.title}</span>
        {task.description && <span class="note">{task.description}</span>}
      </button>
      <TaskTags task={task} />
      {link && <RequestOrigin link={link} />}
      <span class="row-side">
        <span class="row-id">#{task.id}</span>
        <When at={task.completed ? (task.updated_at ?? task.created_at) : task.created_at} />
      </span>
      <button
        type="button"
        class="button quiet row-action"
        data-control="delete"
        aria-label={`Delete ${task.title}`}
        onClick={() => deleteTask(task)}
      >
        Delete
      </button>
    </article>
  )
}

/** Keys on a task, in the list and on the board. Space and Enter on a control stay the control's own. */
export function taskKeys(event: KeyboardEvent, task: Task, onEdit: (task: Task) => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const onTitle = (event.target as HTMLElement).dataset.control === 'title'
  if (event.key === ' ' && onTitle) void setCompleted(task, !task.completed)
  else if (event.key === 'x') void setCompleted(task, !task.completed)
  else if (event.key === 'e') onEdit(task)
  else if (event.key === 'Delete') deleteTask(task)
  else return
  event.preventDefault()
}
