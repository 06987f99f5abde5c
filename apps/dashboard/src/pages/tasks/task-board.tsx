import { useState } from 'preact/hooks'
import { useStore } from '../../live/store.ts'
import type { Pages } from '../../live/use-pages.ts'
import { Problem, Waiting } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { When } from '../../parts/when.tsx'
import { beginDrag, dropInto, dropOn, endDrag, step } from './reorder.ts'
import type { RequestLink } from './request-links.ts'
import { RequestOrigin } from './request-origin.tsx'
import { type Links, STATES, type State, stateOf, type Task } from './task.ts'
import { changeTask, keepTask, leaving, setCompleted } from './task-actions.ts'
import { taskKeys } from './task-row.tsx'
import { TaskTags } from './task-tags.tsx'
import { type TaskChoice, useTasks } from './use-tasks.ts'

const CARD_HEIGHT = 118

interface BoardProps {
  readonly links: Links
  readonly choice: TaskChoice
  readonly onEdit: (task: Task) => void
}

/** A column for each state. Cards are dragged, or moved with the arrow keys. */
export function TaskBoard(props: BoardProps) {
  return (
    <div class="board">
      {STATES.map(([state, title]) => (
        <Column key={state} title={title} state={state} {...props} />
      ))}
    </div>
  )
}

interface ColumnProps extends BoardProps {
  readonly title: string
  readonly state: State
}

function Column({ title, state, links, choice, onEdit }: ColumnProps) {
  const tasks = useTasks({ ...choice, completed: undefined, state })
  const [over, setOver] = useState(false)
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
      onDrop={(event) => {
        setOver(false)
        dropInto(event, tasks, state)
      }}
    >
      <h2 id={`column-${title}`}>
        {title} <span class="count">{tasks.total ?? ''}</span>
      </h2>
      {tasks.error && <Problem error={tasks.error} retry={tasks.reload} />}
      {tasks.total === undefined && !tasks.error && <Waiting />}
      {tasks.total === 0 && <p class="quiet-line">{NOTHING[state]}</p>}
      <VirtualList
        label={`${title} tasks`}
        total={tasks.total ?? 0}
        rowHeight={CARD_HEIGHT}
        need={tasks.need}
        row={(index) => {
          const task = tasks.item(index)
          const link = task && links.get(task.id)
          return <Card task={task} index={index} list={tasks} link={link} onEdit={onEdit} />
        }}
      />
    </section>
  )
}

const NOTHING: Readonly<Record<State, string>> = {
  open: 'Nothing left to do.',
  doing: 'Nobody is at work on a task.',
  blocked: 'Nothing is blocked.',
  done: 'Nothing completed yet.',
}

interface CardProps {
  readonly task?: Task
  readonly index: number
  readonly list: Pages<Task>
  readonly link?: RequestLink
  readonly onEdit: (task: Task) => void
}

function Card({ task, index, list, link, onEdit }: CardProps) {
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
  const state = stateOf(task)
  return (
    <article
      class="card"
      data-done={task.completed}
      draggable
      onDragStart={(event) => beginDrag(event, task)}
      onDragEnd={endDrag}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => dropOn(event, list, index, state)}
      onKeyDown={(event) => cardKeys(event, task, list, index, onEdit)}
    >
      <button type="button" class="row-title" data-control="title" onClick={() => onEdit(task)}>
        <span class="title">{task.title}</span>
        {task.description && <span class="note">{task.description}</span>}
      </button>
      <div class="card-facts">
        {link && <RequestOrigin link={link} />}
        <TaskTags task={{ ...task, state: undefined }} />
      </div>
      <footer>
        <span class="row-id">#{task.id}</span>
        <When at={task.updated_at ?? task.created_at} />
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
        </span>
      </footer>
    </article>
  )
}

/** Left and right through the states, with Alt up and down through the column. */
function cardKeys(
  event: KeyboardEvent,
  task: Task,
  list: Pages<Task>,
  index: number,
  onEdit: (task: Task) => void,
): void {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const along = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined
  const place = STATES.findIndex(([state]) => state === stateOf(task))
  const next = across === undefined ? undefined : STATES[place + across]?.[0]
  if (!next && !along) {
    taskKeys(event, task, onEdit)
    return
  }
  if (next) void changeTask(task, { state: next })
  else if (along) void step(task, list, index, along)
  event.preventDefault()
  event.stopPropagation()
}
