import { useState } from 'preact/hooks'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { Choice } from '../../parts/choice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Empty, FamilyOff, Problem, Waiting } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { AddressedTask } from './addressed-task.tsx'
import { NewTask } from './new-task.tsx'
import { useRequestLinks } from './request-links.ts'
import { chosenTasks, SeveralTasks } from './several-tasks.tsx'
import { type Links, STATES, type Task } from './task.ts'
import { TaskBoard } from './task-board.tsx'
import { TaskFilters, useTaskChoice } from './task-filters.tsx'
import { TaskRow } from './task-row.tsx'
import { useTasks } from './use-tasks.ts'

const ROW_HEIGHT = 60

export function TasksPage() {
  const on = useFamily('tasks')
  const { query, parts } = usePlace()
  const [edited, setEdited] = useState<Task>()
  const [choosing, setChoosing] = useState(false)
  const links: Links = useRequestLinks().value ?? new Map()
  const { chosen, choice, show } = useTaskChoice()
  const view = chosen.view === 'board' ? 'board' : 'list'
  if (!on) {
    return (
      <>
        <PageHeader title="Tasks" />
        <FamilyOff family="tasks" what="Tasks" />
      </>
    )
  }
  const edit = (task: Task) => {
    setEdited(task)
    go(pathTo(['tasks', task.id], { ...chosen }))
  }
  const choose = () => {
    chosenTasks.set(new Map())
    setChoosing(!choosing)
  }
  return (
    <>
      <PageHeader title="Tasks">
        {view === 'list' && (
          <>
            <button type="button" class="button" aria-pressed={choosing} onClick={choose}>
              Select
            </button>
            <Choice
              label="Show"
              value={chosen.status}
              options={[...STATES, ['all', 'All']]}
              onChoose={(status) => show({ status })}
            />
          </>
        )}
        <Choice
          label="View"
          value={view}
          options={[
            ['list', 'List'],
            ['board', 'Board'],
          ]}
          onChoose={(next) => show({ view: next })}
        />
      </PageHeader>
      <NewTask focus={query.get('new') !== null} />
      <TaskFilters />
      {choosing && view === 'list' && <SeveralTasks />}
      {view === 'board' ? (
        <TaskBoard links={links} choice={choice} onEdit={edit} />
      ) : (
        <TaskTable links={links} choosing={choosing} onEdit={edit} />
      )}
      {parts[1] && (
        <AddressedTask
          id={parts[1]}
          known={edited}
          links={links}
          onClose={() => go(pathTo(['tasks'], { ...chosen }), { replace: true })}
        />
      )}
    </>
  )
}

interface TableProps {
  readonly links: Links
  readonly choosing: boolean
  readonly onEdit: (task: Task) => void
}

function TaskTable({ links, choosing, onEdit }: TableProps) {
  const { choice, chosen, isFiltered } = useTaskChoice()
  const tasks = useTasks(choice)
  const isSorted = tasks.item(0)?.position !== undefined || tasks.item(1)?.position !== undefined
  return (
    <>
      {tasks.error && <Problem error={tasks.error} retry={tasks.reload} />}
      {tasks.total === undefined && !tasks.error && <Waiting rows={5} />}
      {tasks.total === 0 && <NoTasks status={chosen.status} filtered={isFiltered} />}
      {tasks.total ? (
        <p class="quiet-line" role="status">
          {tasks.total.toLocaleString()} {tasks.total === 1 ? 'task' : 'tasks'},{' '}
          {isSorted ? 'in your order' : 'newest first'}
        </p>
      ) : null}
      <VirtualList
        label="Tasks"
        total={tasks.total ?? 0}
        rowHeight={ROW_HEIGHT}
        need={tasks.need}
        row={(index) => {
          const task = tasks.item(index)
          return (
            <TaskRow
              task={task}
              index={index}
              list={tasks}
              link={task && links.get(task.id)}
              choosing={choosing}
              onEdit={onEdit}
            />
          )
        }}
      />
    </>
  )
}

function NoTasks({ status, filtered }: { readonly status: string; readonly filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No tasks match">
        <p>
          <a href={pathTo(['tasks'])}>Show all open tasks</a>
        </p>
      </Empty>
    )
  }
  if (status === 'done') return <Empty title="Nothing completed yet" />
  if (status === 'doing' || status === 'blocked')
    return <Empty title={`Nothing is ${status === 'doing' ? 'being done' : 'blocked'}`} />
  return (
    <Empty title="Nothing left to do">
      <p>
        Write a task above, or let an agent do it: every client of Secretary has the tool{' '}
        <code>add_task</code>. On the command line it is{' '}
        <code>secretary tasks add "Write the release notes"</code>.
      </p>
    </Empty>
  )
}
