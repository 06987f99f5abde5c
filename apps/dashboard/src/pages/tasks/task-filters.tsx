import { call } from '../../live/api.ts'
import { go, pathTo, usePlace } from '../../live/router.ts'
import { session } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { useQuery } from '../../live/use-query.ts'
import { SearchBox } from '../../parts/search-box.tsx'
import { Select } from '../../parts/select.tsx'
import { folderName } from '../dialogs/dialog-data.ts'
import type { State } from './task.ts'
import type { TaskChoice } from './use-tasks.ts'

const STATUS: Readonly<Record<string, TaskChoice>> = {
  open: { completed: false },
  doing: { state: 'doing' },
  blocked: { state: 'blocked' },
  done: { completed: true },
  all: {},
}
export type Status = State | 'all'

/** What the address chooses, for the list and the board alike. */
export function useTaskChoice() {
  const { query } = usePlace()
  const given = (name: string) => query.get(name) || undefined
  const chosen = {
    view: given('view'),
    status: given('status') ?? 'open',
    label: given('label'),
    project: given('project'),
    q: given('q'),
  }
  const { label, project, q: text } = chosen
  const choice: TaskChoice = { ...(STATUS[chosen.status] ?? {}), label, project, text }
  const show = (changes: Partial<typeof chosen>) =>
    go(pathTo(['tasks'], { ...chosen, ...changes }), { replace: true })
  return { chosen, choice, show, isFiltered: Boolean(label || project || text) }
}

export function TaskFilters() {
  const { chosen, show } = useTaskChoice()
  const here = useStore(session)?.project
  const facets = useQuery('task facets', 'tasks', (signal) =>
    call('get /api/v1/tasks/facets', { signal }),
  ).value ?? { labels: [], projects: [] }
  const { q = '', ...beside } = chosen
  const projects = facets.projects.map(
    (project) => [project, project === here ? 'This project' : folderName(project)] as const,
  )
  return (
    <>
      <SearchBox page="tasks" words={q} label="Search tasks" beside={beside} />
      <div class="filters">
        <Select
          label="Project"
          value={chosen.project ?? ''}
          options={[['', 'Any project'], ...projects]}
          onChange={(project) => show({ project })}
        />
        <Select
          label="Label"
          value={chosen.label ?? ''}
          options={[['', 'Any label'], ...facets.labels.map((label) => [label, label] as const)]}
          onChange={(label) => show({ label })}
        />
      </div>
    </>
  )
}
