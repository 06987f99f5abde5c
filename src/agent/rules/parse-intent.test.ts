import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findTasks } from './find-task.ts'
import type { Intent } from './intent.ts'
import { parseIntent } from './parse-intent.ts'

const sentences = JSON.parse(
  readFileSync(new URL('../../../test/data/chat-sentences.json', import.meta.url), 'utf8'),
) as {
  say: string
  intent: Intent
}[]

const isRight = ({ say, intent }: { say: string; intent: Intent }): boolean => {
  const { wish: _, ...understood } = parseIntent(say) as Intent & { wish?: string }
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
  it('T10 are understood in at least 95 of 100 cases', () => {
    const wrong = sentences
      .filter((sentence) => !isRight(sentence))
      .map(({ say }) => `${say} → ${JSON.stringify(parseIntent(say))}`)
    expect(sentences.length).toBeGreaterThanOrEqual(60)
    expect(1 - wrong.length / sentences.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.95)
  })

  it('T8 never invent what was not said', () => {
    expect(parseIntent('add a task')).toEqual({ kind: 'add' })
    expect(parseIntent('delete it')).toEqual({ kind: 'delete' })
  })
})

describe('a task named by words', () => {
  const tasks = [
    { id: 1, title: 'Buy milk', completed: false },
    { id: 2, title: 'Write the quarterly report', completed: false },
    { id: 3, title: 'Write the monthly report', completed: false },
  ]

  it.each([
    ['buy milk', [1]],
    ['milk', [1]],
    ['quarterly report', [2]],
    ['report', [2, 3]],
    ['reports', [2, 3]],
    ['holiday', []],
  ])('“%s” means %j', (words, ids) =>
    expect(findTasks(tasks, { words }).map(({ id }) => id)).toEqual(ids),
  )
})
