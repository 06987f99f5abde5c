import { useEffect, useRef, useState } from 'preact/hooks'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { Choice } from '../../parts/choice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Empty, FamilyOff, Problem, Waiting } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { useRequestLinks } from './request-links.ts'
import type { Links, Task } from './task.ts'
import { addTask } from './task-actions.ts'
import { TaskBoard } from './task-board.tsx'
import { TaskForm } from './task-form.tsx'
import { TaskRow } from './task-row.tsx'
import { useTasks } from './use-tasks.ts'

const ROW_HEIGHT = 60
const STATUS: Readonly<Record<string, boolean | undefined>> = {
  open: false,
  done: true,
  all: undefined,
}

export function TasksPage() {
  const on = useFamily('tasks')
  const { query } = usePlace()
  const [edited, setEdited] = useState<Task>()
  const links: Links = useRequestLinks().value ?? new Map()
  const view = query.get('view') === 'board' ? 'board' : 'list'
  const status = query.get('status') ?? 'open'
  const show = (changes: Record<string, string>) =>
    go(pathTo(['tasks'], { view, status, ...changes }), { replace: true })
  if (!on) {
    return (
      <>
        <PageHeader title="Tasks" />
        <FamilyOff family="tasks" what="Tasks" />
      </>
    )
  }
  return (
    <>
      <PageHeader title="Tasks">
        {view === 'list' && (
          <Choice
            label="Show"
            value={status}
            options={[
              ['open', 'Open'],
              ['done', 'Done'],
              ['all', 'All'],
            ]}
            onChoose={(next) => show({ status: next })}
          />
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
      {view === 'board' ? (
        <TaskBoard links={links} onEdit={setEdited} />
      ) : (
        <TaskTable status={status} links={links} onEdit={setEdited} />
      )}
      {edited && (
        <TaskForm
          key={edited.id}
          task={edited}
          link={links.get(edited.id)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function TaskTable({
  status,
  links,
  onEdit,
}: {
  readonly status: string
  readonly links: Links
  readonly onEdit: (task: Task) => void
}) {
  const tasks = useTasks(STATUS[status])
  return (
    <>
      {tasks.error && <Problem error={tasks.error} retry={tasks.reload} />}
      {tasks.total === undefined && !tasks.error && <Waiting rows={5} />}
      {tasks.total === 0 && <NoTasks status={status} />}
      {tasks.total ? (
        <p class="quiet-line" role="status">
          {tasks.total.toLocaleString()} {tasks.total === 1 ? 'task' : 'tasks'}, newest first
        </p>
      ) : null}
      <VirtualList
        label="Tasks"
        total={tasks.total ?? 0}
        rowHeight={ROW_HEIGHT}
        need={tasks.need}
        row={(index) => {
          const task = tasks.item(index)
          return <TaskRow task={task} link={task && links.get(task.id)} onEdit={onEdit} />
        }}
      />
    </>
  )
}

function NoTasks({ status }: { readonly status: string }) {
  if (status === 'done') return <Empty title="Nothing completed yet" />
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

function NewTask({ focus }: { readonly focus: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [focus])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const title = String(new FormData(form).get('title') ?? '').trim()
    if (title === '') return
    // The next one can be typed while this one is on its way; one that was not taken comes back.
    form.reset()
    if (!(await addTask(title)) && field.current?.value === '') field.current.value = title
    // Whoever has gone on to something else while it was being added keeps the focus there.
    if (document.activeElement === document.body || form.contains(document.activeElement))
      field.current?.focus()
  }
  return (
    <form class="new-task" onSubmit={submit}>
      <input
        ref={field}
        id="new-task"
        name="title"
        maxLength={200}
        placeholder="Add a task"
        aria-label="New task"
        autocomplete="off"
      />
      <button type="submit" class="button primary">
        Add
      </button>
    </form>
  )
}
