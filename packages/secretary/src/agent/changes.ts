import type { Result } from '@secretary-mcp/core/result.ts'
import type { Change, Overwritten, TaskFacts } from './agent.ts'
import { quoted } from './facts.ts'
import type { Language } from './language.ts'

/** What a call that succeeded changed, how that is taken back, and what was there before. */
export function changeOf(
  tool: string,
  args: unknown,
  before: TaskFacts | undefined,
  result: Result,
): Change {
  if (tool === 'add_task') {
    const id = (result.value as { task?: { id?: number } } | undefined)?.task?.id
    return id === undefined ? {} : { undo: { name: 'delete_task', args: { task_id: id } } }
  }
  if (!before) return {}
  const { id, title, description, completed } = before
  const undo = (fields: object) => ({
    name: 'update_task',
    args: { task_id: id, ...fields },
  })
  if (tool === 'complete_task') return { undo: undo({ completed }) }
  if (tool === 'plan_task') return { undo: { name: 'plan_task', args: planBefore(before, args) } }
  if (tool !== 'update_task') return {}
  const wanted = args as { title?: string; description?: string; completed?: boolean }
  const isOverwritten = wanted.title !== undefined || wanted.description !== undefined
  return {
    undo: undo({
      ...(wanted.title === undefined ? {} : { title }),
      ...(wanted.description === undefined ? {} : { description: description ?? '' }),
      ...(wanted.completed === undefined ? {} : { completed }),
    }),
    ...(isOverwritten
      ? {
          before: {
            id,
            ...(wanted.title === undefined ? {} : { title }),
            ...(wanted.description === undefined ? {} : { description }),
          },
        }
      : {}),
  }
}

/** What the plan of a task was, as far as the call replaced it. */
function planBefore(before: TaskFacts, args: unknown): object {
  const { id, completed, state, priority, labels, files } = before
  const plan: Readonly<Record<string, unknown>> = {
    state: completed ? 'done' : (state ?? 'open'),
    priority: priority ?? 'normal',
    labels: labels ?? [],
    files: files ?? [],
  }
  const replaced = Object.entries(plan).filter(([key]) => key in (args as object))
  return { task_id: id, ...Object.fromEntries(replaced) }
}

/** What an answer says of the texts that it overwrote. */
export function overwrittenText(all: readonly Overwritten[], language: Language): string {
  const said = all.flatMap(({ id, title, description }) => [
    ...(title === undefined ? [] : [SAYINGS[language].title(id, quoted(title))]),
    ...(description === undefined
      ? []
      : [SAYINGS[language].description(id, description ? quoted(description) : undefined)]),
  ])
  return [...said, SAYINGS[language].undo].join(' ')
}

const SAYINGS = {
  en: {
    title: (id: number, old: string) => `Task ${id} was ${old} before.`,
    description: (id: number, old?: string) =>
      old
        ? `The description of task ${id} was ${old} before.`
        : `Task ${id} had no description before.`,
    undo: 'Say “undo” to take it back.',
  },
  ru: {
    title: (id: number, old: string) => `Раньше задача ${id} называлась ${old}.`,
    description: (id: number, old?: string) =>
      old ? `Раньше описание задачи ${id} было ${old}.` : `Раньше у задачи ${id} описания не было.`,
    undo: 'Скажите “отмени”, чтобы вернуть как было.',
  },
}
