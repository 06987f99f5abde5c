import { describe, expect, it } from 'vitest'
import { changeSentence, type Entry } from './change-sentence.ts'

const entry = (action: string, kind: Entry['subject']['kind'], id: string, text = ''): Entry => ({
  at: '2026-01-01T00:00:00Z',
  user: 'ada',
  space: 's',
  action,
  subject: { kind, id },
  text,
})

describe('a change of a space', () => {
  it.each([
    [entry('create', 'space', 's', 'web'), 'created web'],
    [entry('rename', 'space', 's', 'web → shop'), 'renamed web → shop'],
    [entry('add', 'member', 'bob', 'reader'), 'added bob as reader'],
    [entry('role', 'member', 'bob', 'reader → member'), 'changed the role of bob: reader → member'],
    [entry('remove', 'member', 'bob', 'member'), 'removed bob'],
    [entry('remove', 'member', 'ada', 'member'), 'left'],
    [entry('share', 'task', '12'), 'shared task 12'],
    [entry('update', 'task', '12', 'title, state'), 'changed task 12 (title, state)'],
    [entry('record', 'discovery', 'd1', 'decision'), 'recorded discovery d1 (decision)'],
    [entry('polish', 'task', '12'), 'polish task 12'],
  ])('is told as a sentence: %o', (given, told) => expect(changeSentence(given)).toBe(told))
})
