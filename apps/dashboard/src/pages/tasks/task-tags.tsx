import { pathTo } from '../../live/router.ts'
import type { Task } from './task.ts'

/** How far a task is, how urgent, and its labels, each leading to the others of its kind. */
export function TaskTags({ task: { state, priority, labels = [] } }: { readonly task: Task }) {
  return (
    <span class="task-tags">
      {state && (
        <span class="tag" data-state={state}>
          {state}
        </span>
      )}
      {priority && (
        <span class="tag" data-priority={priority}>
          {priority} priority
        </span>
      )}
      {labels.map((label) => (
        <a key={label} class="tag" href={pathTo(['tasks'], { label, status: 'all' })}>
          {label}
        </a>
      ))}
    </span>
  )
}
