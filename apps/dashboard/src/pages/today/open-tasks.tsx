import { useState } from 'preact/hooks'
import { call } from '../../live/api.ts'
import { pathTo } from '../../live/router.ts'
import { useFamily } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { useQuery } from '../../live/use-query.ts'
import { Loaded } from '../../parts/states.tsx'
import type { Task, TaskList } from '../tasks/task.ts'
import { leaving, setCompleted } from '../tasks/task-actions.ts'
import { TaskForm } from '../tasks/task-form.tsx'

const SHOWN = 8

export function OpenTasks() {
  const on = useFamily('tasks')
  const query = useQuery(on ? 'open tasks' : undefined, 'tasks', newestOpen)
  const gone = useStore(leaving)
  const [edited, setEdited] = useState<Task>()
  if (!on) return null
  return (
    <section>
      <h2 class="section-title">
        <a href={pathTo(['tasks'])}>Open tasks</a>{' '}
        <span class="count">{query.value?.total ?? ''}</span>
      </h2>
      <Loaded query={query}>
        {({ tasks, total }) => (
          <>
            {total === 0 && (
              <p class="quiet-line">
                Nothing left to do. <a href={pathTo(['tasks'], { new: 1 })}>Add a task</a>
              </p>
            )}
            <ul class="plain-list">
              {tasks
                .filter(({ id }) => !gone.has(id))
                .map((task) => (
                  <li class="task-line" key={task.id}>
                    <input
                      type="checkbox"
                      aria-label={task.title}
                      checked={task.completed}
                      onChange={() => setCompleted(task, true)}
                    />
                    <button type="button" class="row-title" onClick={() => setEdited(task)}>
                      {task.title}
                    </button>
                  </li>
                ))}
            </ul>
            {total > SHOWN && (
              <p class="quiet-line">
                <a href={pathTo(['tasks'])}>{(total - SHOWN).toLocaleString()} more</a>
              </p>
            )}
          </>
        )}
      </Loaded>
      {edited && <TaskForm key={edited.id} task={edited} onClose={() => setEdited(undefined)} />}
    </section>
  )
}

/** The server lists the oldest first; the newest are at the end. */
async function newestOpen(signal: AbortSignal): Promise<TaskList> {
  const open = (limit: number, offset?: number) =>
    call('get /api/v1/tasks', { query: { completed: false, limit, offset }, signal })
  const { total } = await open(1)
  const newest = await open(SHOWN, Math.max(0, total - SHOWN))
  return { ...newest, tasks: newest.tasks.toReversed() }
}
