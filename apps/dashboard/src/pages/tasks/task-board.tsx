import { useState } from 'preact/hooks'
import { useStore } from '../../live/store.ts'
import { Problem, Waiting } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { When } from '../../parts/when.tsx'
import type { RequestLink } from './request-links.ts'
import { RequestOrigin } from './request-origin.tsx'
import type { Links, Task } from './task.ts'
import { deleteTask, keepTask, leaving, setCompleted } from './task-actions.ts'
import { taskKeys } from './task-row.tsx'
import { useTasks } from './use-tasks.ts'

const CARD_HEIGHT = 104

interface BoardProps {
  readonly links: Links
  readonly onEdit: (task: Task) => void
}

/** Two columns, because a task is open or done. Cards are dragged, or moved with the arrow keys. */
export function TaskBoard(props: BoardProps) {
  return (
    <div class="board">
      <Column title="Open" completed={false} {...props} />
      <Column title="Done" completed={true} {...props} />
    </div>
  )
}

let dragged: Task | undefined

function Column({
  title,
  completed,
  links,
  onEdit,
}: BoardProps & { readonly title: string; readonly completed: boolean }) {
  const tasks = useTasks(completed)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (dragged && dragged.completed !== completed) void setCompleted(dragged, completed)
  }
  return (
    <section
      class="column"
      data-over={over}
      aria-labelledby={`column-${title}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2 id={`column-${title}`}>
        {title} <span class="count">{tasks.total ?? ''}</span>
      </h2>
      {tasks.error && <Problem error={tasks.error} retry={tasks.reload} />}
      {tasks.total === undefined && !tasks.error && <Waiting />}
      {tasks.total === 0 && (
        <p class="quiet-line">{completed ? 'Nothing completed yet.' : 'Nothing left to do.'}</p>
      )}
      <VirtualList
        label={`${title} tasks`}
        total={tasks.total ?? 0}
        rowHeight={CARD_HEIGHT}
        need={tasks.need}
        row={(index) => {
          const task = tasks.item(index)
          return <Card task={task} link={task && links.get(task.id)} onEdit={onEdit} />
        }}
      />
    </section>
  )
}

function Card({
  task,
  link,
  onEdit,
}: {
  readonly task?: Task
  readonly link?: RequestLink
  readonly onEdit: (task: Task) => void
}) {
  const gone = useStore(leaving).has(task?.id ?? -1)
  if (!task) return <div class="card" aria-busy="true" />
  if (gone) {
    return (
      <div class="card leaving">
        <s class="title">{task.title}</s>
        <button type="button" class="button quiet" onClick={() => keepTask(task.id)}>
          Undo
        </button>
      </div>
    )
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight' && !task.completed) void setCompleted(task, true)
    else if (event.key === 'ArrowLeft' && task.completed) void setCompleted(task, false)
    else return taskKeys(event, task, onEdit)
    event.preventDefault()
  }
  return (
    <article
      class="card"
      data-done={task.completed}
      draggable
      onDragStart={(event) => {
        dragged = task
        event.dataTransfer?.setData('text/plain', task.title)
      }}
      onDragEnd={() => {
        dragged = undefined
      }}
      onKeyDown={keys}
    >
      <button type="button" class="row-title" data-control="title" onClick={() => onEdit(task)}>
        <span class="title">{task.title}</span>
        {task.description && <span class="note">{task.description}</span>}
      </button>
      <footer>
        <span class="row-id">#{task.id}</span>
        <When at={task.updated_at ?? task.created_at} />
        {link && <RequestOrigin link={link} />}
        <span class="card-actions">
          <button
            type="button"
            class="button quiet"
            data-control="move"
            aria-label={`${task.completed ? 'Reopen' : 'Complete'} ${task.title}`}
            onClick={() => setCompleted(task, !task.completed)}
          >
            {task.completed ? 'Reopen' : 'Complete'}
          </button>
          <button
            type="button"
            class="button quiet"
            data-control="delete"
            aria-label={`Delete ${task.title}`}
            onClick={() => deleteTask(task)}
          >
            Delete
          </button>
        </span>
      </footer>
    </article>
  )
}
