import { baseOf, type Task } from './task.ts'

/** What others wrote into a task while the person was editing it. */
export interface Theirs {
  readonly fields: readonly ('title' | 'description' | 'state' | 'priority')[]
  readonly task: Task
}

export function TheirFields({ theirs }: { readonly theirs: Theirs }) {
  return (
    <dl class="their-fields">
      {Object.entries(valuesOf(theirs)).map(([name, value]) => (
        <div key={name}>
          <dt>The {name} is now</dt>
          <dd>{value || 'empty'}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What the form is based on once the person has seen them. */
export function theirFields({ fields, task }: Theirs): Partial<Task> {
  const { title, description, state, completed, priority } = task
  const all = {
    title: { title },
    description: { description },
    state: { state, completed },
    priority: { priority },
  }
  return Object.assign({}, ...fields.map((name) => all[name]))
}

export function takeTheirs(form: HTMLFormElement, theirs: Theirs): void {
  for (const [name, value] of Object.entries(valuesOf(theirs))) {
    const field = form.elements.namedItem(name)
    if (field && 'value' in field) field.value = value
  }
}

function valuesOf({ fields, task }: Theirs): Record<string, string> {
  const wanted = Object.fromEntries(fields.map((name) => [name, true]))
  return baseOf(task, wanted) as Record<string, string>
}
