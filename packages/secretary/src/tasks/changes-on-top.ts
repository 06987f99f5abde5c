import { Failure } from '@secretary-mcp/core/failure.ts'
import { MOST, type PlannedTask, type TaskChanges } from './task.ts'

/** What the fields of a task said when somebody began to edit them. */
export type TaskBase = { readonly [K in keyof TaskChanges]: TaskChanges[K] | null }

/**
 * What to change in a task that others may have changed since: lists take what was added and lose what was removed; of a text or a
 * choice that two have changed differently, neither is lost in silence.
 */
export function changesOnTop(task: PlannedTask, changes: TaskChanges, base: TaskBase): TaskChanges {
  const current = fieldsOf(task)
  const names = Object.keys(changes) as (keyof TaskChanges)[]
  const others = names.filter((name) => {
    const [wanted, seen, now] = [changes[name], base[name], current[name] ?? null]
    return !Array.isArray(wanted) && seen !== undefined && now !== seen && now !== wanted
  })
  if (others.length > 0) {
    const said = others.map((name) => `its ${name} is now “${current[name] ?? ''}”`).join(', ')
    throw new Failure('changed_meanwhile', `Task ${task.id} was changed meanwhile: ${said}`, {
      data: { fields: others, task },
    })
  }
  const merged = (name: 'labels' | 'files') => {
    const [wanted, seen] = [changes[name], base[name]]
    if (!wanted || !seen) return {}
    const kept = current[name].filter((one) => wanted.includes(one) || !seen.includes(one))
    return { [name]: within(name, [...kept, ...wanted.filter((one) => !seen.includes(one))]) }
  }
  return { ...changes, ...merged('labels'), ...merged('files') }
}

/** What is given is added to the lists that the task has, or removed from them; the rest of them stays. */
export function changedLists(task: PlannedTask, changes: TaskChanges, how: 'add' | 'remove') {
  const changed = (name: 'labels' | 'files') => {
    const [given, known] = [changes[name], task[name] ?? []]
    if (!given) return {}
    const next = how === 'add' ? [...known, ...given] : known.filter((one) => !given.includes(one))
    return { [name]: within(name, next) }
  }
  return { ...changes, ...changed('labels'), ...changed('files') }
}

function within(name: 'labels' | 'files', items: readonly string[]): string[] {
  const unique = [...new Set(items)]
  if (unique.length > MOST[name])
    throw new Failure('validation_error', `A task has at most ${MOST[name]} ${name}`)
  return unique
}

function fieldsOf({ completed, labels = [], files = [], ...task }: PlannedTask) {
  return {
    ...task,
    description: task.description ?? '',
    completed,
    state: completed ? 'done' : (task.state ?? 'open'),
    priority: task.priority ?? 'normal',
    labels,
    files,
  }
}
