import type { TaskReference } from './rule.ts'

export interface KnownTask {
  readonly id: number
  readonly title: string
  readonly completed: boolean
}

/** The tasks that a reference can mean, best first; more than one means that the person must say which. */
export function findTasks(tasks: readonly KnownTask[], reference: TaskReference): KnownTask[] {
  if ('all' in reference) return [...tasks]
  if ('id' in reference) return tasks.filter(({ id }) => id === reference.id)
  if ('position' in reference) return tasks.slice(reference.position - 1).slice(0, 1)
  const wanted = wordsOf(reference.words)
  const exact = tasks.filter(({ title }) => wordsOf(title).join(' ') === wanted.join(' '))
  if (exact.length > 0) return exact
  const scored = tasks
    .map((task) => ({ task, share: sharedWords(wanted, wordsOf(task.title)) }))
    .filter(({ share }) => share >= 0.5)
  const best = Math.max(0, ...scored.map(({ share }) => share))
  return scored.filter(({ share }) => share === best).map(({ task }) => task)
}

/** How many of the words asked for a title has; a word may be the beginning of another: “report” finds “reports”. */
function sharedWords(wanted: readonly string[], title: readonly string[]): number {
  if (wanted.length === 0) return 0
  const found = wanted.filter((word) =>
    title.some(
      (other) =>
        other === word ||
        stemOf(other) === stemOf(word) ||
        (word.length > 3 &&
          (other.startsWith(word) || (other.length > 3 && word.startsWith(other)))),
    ),
  )
  return found.length / wanted.length
}

/** Russian words change their endings: “стоматолога” finds “стоматологу”. */
function stemOf(word: string): string {
  return word.replaceAll('ё', 'е').replace(RUSSIAN_ENDING, '$1')
}

const RUSSIAN_ENDING =
  /^(\p{Script=Cyrillic}{3,}?)(?:[аяоеы]?ми|[ое]го|[ое]му|[оеыи]й|[оеая]м|[ая]х|[ое]в|[уюаяоеыи][юяе]|[аеиоуыэюяйь])$/u

const SMALL = new Set([
  'the',
  'a',
  'an',
  'my',
  'to',
  'of',
  'for',
  'and',
  'with',
  'on',
  'in',
  'task',
  'one',
  'that',
  'about',
  ...['про', 'о', 'об', 'на', 'в', 'с', 'и', 'к', 'по', 'для', 'мне', 'задача', 'задачу'],
])

function wordsOf(text: string): string[] {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = all.filter((word) => !SMALL.has(word))
  return telling.length > 0 ? telling : all
}
