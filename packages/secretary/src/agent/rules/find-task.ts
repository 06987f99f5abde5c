import type { TaskReference } from './rule.ts'
import { isSameWord, wordsOf } from './words.ts'

export interface KnownTask {
  readonly id: number
  readonly title: string
  readonly description?: string | null
  readonly completed: boolean
  readonly state?: 'doing' | 'blocked'
  readonly priority?: 'high' | 'low'
  readonly labels?: readonly string[]
  readonly files?: readonly string[]
}

/** The tasks that a reference can mean, best first; more than one means that the person must say which. */
export function findTasks(tasks: readonly KnownTask[], reference: TaskReference): KnownTask[] {
  if ('it' in reference) return []
  if ('all' in reference) return [...tasks]
  if ('id' in reference) return tasks.filter(({ id }) => id === reference.id)
  if ('position' in reference) return tasks.slice(reference.position - 1).slice(0, 1)
  const wanted = tellingWords(reference.words)
  const exact = tasks.filter(({ title }) => tellingWords(title).join(' ') === wanted.join(' '))
  if (exact.length > 0) return exact
  const scored = tasks
    .map((task) => ({ task, share: sharedWords(wanted, tellingWords(task.title)) }))
    .filter(({ share }) => share >= 0.5)
  const best = Math.max(0, ...scored.map(({ share }) => share))
  return scored.filter(({ share }) => share === best).map(({ task }) => task)
}

/** How many of the words asked for a title has. */
function sharedWords(wanted: readonly string[], title: readonly string[]): number {
  if (wanted.length === 0) return 0
  const found = wanted.filter((word) => title.some((other) => isSameWord(word, other)))
  return found.length / wanted.length
}

const SMALL = new Set(
  'the a an my to of for and with on in task one that about thing stuff про о об на в с и к по для мне задача задачу задачи'.split(
    ' ',
  ),
)

export function tellingWords(text: string): string[] {
  const all = wordsOf(text)
  const telling = all.filter((word) => !SMALL.has(word))
  return telling.length > 0 ? telling : all
}
