import { describe, expect, it } from 'vitest'
import { placeBetween, placeOf, stateOf, type Task } from './task.ts'

const task = (id: number, more: Partial<Task> = {}): Task => ({
  id,
  title: `${id}`,
  description: null,
  completed: false,
  created_at: '2026-01-01',
  ...more,
})

describe('the order of tasks', () => {
  it('is newest first where nobody moved one', () => {
    expect(placeOf(task(3))).toBeLessThan(placeOf(task(2)))
  })

  it('has room between two neighbours, before the first and after the last', () => {
    const [first, second] = [task(3), task(2)]
    const between = placeBetween(first, second)
    expect(between).toBeGreaterThan(placeOf(first))
    expect(between).toBeLessThan(placeOf(second))
    expect(placeBetween(undefined, first)).toBeLessThan(placeOf(first))
    expect(placeBetween(second, undefined)).toBeGreaterThan(placeOf(second))
  })
})

describe('the state of a task', () => {
  it('is done, what it says, or open', () => {
    expect(stateOf(task(1))).toBe('open')
    expect(stateOf(task(1, { state: 'blocked' }))).toBe('blocked')
    expect(stateOf(task(1, { completed: true }))).toBe('done')
  })
})
