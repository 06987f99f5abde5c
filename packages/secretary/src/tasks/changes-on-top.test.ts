import { describe, expect, it } from 'vitest'
import type { PlannedTask } from './task.ts'
import { changedLists, changesOnTop } from './tasks.ts'

const task: PlannedTask = {
  id: 7,
  title: 'Paint the gate',
  description: null,
  completed: false,
  created_at: '2026-01-01T00:00:00.000Z',
  labels: ['a', 'theirs'],
  files: ['gate.md'],
}

describe('changes on top of what others changed', () => {
  it('take and drop only what the person added and removed', () => {
    const changes = { labels: ['mine'], files: [] }
    expect(changesOnTop(task, changes, { labels: ['a'], files: ['gate.md'] })).toEqual({
      labels: ['theirs', 'mine'],
      files: [],
    })
  })

  it('replace a list that nobody said anything about', () => {
    expect(changesOnTop(task, { labels: ['only'] }, {})).toEqual({ labels: ['only'] })
  })

  it('are refused where a text or a choice is neither as it was nor as it is wanted', () => {
    const attempt = () =>
      changesOnTop(
        { ...task, description: 'Red', state: 'doing', position: 3 },
        { description: 'Green', state: 'done', title: 'Paint it', position: 1 },
        { description: '', state: 'open', title: task.title, position: null },
      )
    expect(attempt).toThrow(
      'Task 7 was changed meanwhile: its description is now “Red”, its state is now “doing”, its position is now “3”',
    )
  })

  it.each([
    ['as it was', { description: 'Green' }, { description: '' }],
    ['as it is wanted', { title: 'Paint the gate' }, { title: 'Something else' }],
    ['of the same state in other words', { state: 'done' as const }, { state: 'open' as const }],
    ['at no place of its own', { position: 4 }, { position: null }],
  ])('go through where a field is %s', (_, changes, base) => {
    expect(changesOnTop(task, changes, base)).toEqual(changes)
  })

  it('never leave more than a task may have', () => {
    const many = Array.from({ length: 19 }, (_, place) => `label ${place}`)
    expect(() => changedLists(task, { labels: many }, 'add')).toThrow('at most 20 labels')
    expect(() => changesOnTop(task, { labels: many }, { labels: [] })).toThrow('at most 20 labels')
  })
})

describe('a list', () => {
  it.each([
    ['add', ['a', 'theirs', 'b']],
    ['remove', ['theirs']],
  ] as const)('can %s, and keeps the rest of what the task has', (how, labels) => {
    expect(changedLists(task, { labels: how === 'add' ? ['b'] : ['a'] }, how)).toEqual({ labels })
  })
})
