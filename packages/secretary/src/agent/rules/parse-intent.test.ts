import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findTasks } from './find-task.ts'
import { parseIntents } from './parse-intent.ts'
import type { Intent } from './rule.ts'

const sentences = JSON.parse(
  readFileSync(new URL('../../../../../test/data/chat-sentences.json', import.meta.url), 'utf8'),
) as {
  say: string
  intent: Intent
}[]

const isRight = ({ say, intent }: { say: string; intent: Intent }): boolean => {
  const understood = parseIntents(say)[0]
  // A sentence without a title in the file only fixes the kind of what was meant.
  return (
    understood.kind === intent.kind &&
    Object.entries(intent).every(
      ([key, value]) =>
        JSON.stringify(understood[key as keyof typeof understood]) === JSON.stringify(value),
    )
  )
}

describe('everyday sentences', () => {
  const isRussian = ({ say }: { say: string }) => /\p{Script=Cyrillic}/u.test(say)

  it.each([
    ['English', sentences.filter((one) => !isRussian(one))],
    ['Russian', sentences.filter(isRussian)],
  ])('T10 are understood in at least 95 of 100 cases: %s', (_language, said) => {
    const wrong = said
      .filter((sentence) => !isRight(sentence))
      .map(({ say }) => `${say} → ${JSON.stringify(parseIntents(say))}`)
    expect(said.length).toBeGreaterThanOrEqual(60)
    expect(1 - wrong.length / said.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.95)
  })

  it('T8 never invent what was not said', () => {
    expect(parseIntents('add a task')[0]).toEqual({ kind: 'add' })
    expect(parseIntents('delete a task')[0]).toEqual({ kind: 'delete' })
    expect(parseIntents('delete it')[0]).toEqual({ kind: 'delete', task: { it: true } })
  })
})

describe('a message with several wishes', () => {
  it.each([
    ['add a task to buy milk and delete task 3', ['add', 'delete']],
    ['complete task 2 and remove task 5', ['complete', 'delete']],
    ['Delete task 1, then show my tasks', ['delete', 'list']],
    ['add a task to call Bob. Mark the report as done.', ['add', 'complete']],
    ['delete tasks 3 and 4', ['delete', 'delete']],
    ['complete 1, 2 and 5', ['complete', 'complete', 'complete']],
    ['Добавь задачу купить хлеб и удали задачу 2', ['add', 'delete']],
    ['Отметь задачу 1 как выполненную, а потом покажи список', ['complete', 'list']],
    ['удали задачи 3 и 4', ['delete', 'delete']],
    ['add a task to buy milk and bread', ['add']],
    ['remind me to clean the kitchen and remove the trash', ['add']],
    ['добавь задачу помыть пол и убрать мусор', ['add']],
    ['rename task 3 to Rock and roll', ['update']],
    ['delete the rock and roll task', ['delete']],
  ])('“%s” means %j', (message, kinds) =>
    expect(parseIntents(message).map(({ kind }) => kind)).toEqual(kinds),
  )
})

describe('a task named by words', () => {
  const tasks = [
    { id: 1, title: 'Buy milk', completed: false },
    { id: 2, title: 'Write the quarterly report', completed: false },
    { id: 3, title: 'Write the monthly report', completed: false },
    { id: 4, title: 'Позвонить стоматологу', completed: false },
    { id: 5, title: 'Сдать отчёт по уборке', completed: false },
  ]

  it.each([
    ['buy milk', [1]],
    ['milk', [1]],
    ['quarterly report', [2]],
    ['report', [2, 3]],
    ['reports', [2, 3]],
    ['holiday', []],
    ['стоматолога', [4]],
    ['отчета', [5]],
    ['уборку', [5]],
    ['погода', []],
  ])('“%s” means %j', (words, ids) =>
    expect(findTasks(tasks, { words }).map(({ id }) => id)).toEqual(ids),
  )
})

it('a message of very many joints is understood at once', () => {
  for (const piece of ['a and ', 'a, ', 'list tasks and ', 'add a, delete b; ', 'и '])
    for (const length of [500, 1_900, 8_000])
      expect(parseIntents(piece.repeat(Math.floor(length / piece.length))).length).toBeGreaterThan(
        0,
      )
})
