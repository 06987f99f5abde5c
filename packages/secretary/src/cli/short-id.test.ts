import { expect, it } from 'vitest'
import { UsageError } from './command-context.ts'
import { idStartingWith, shortIds } from './dialog-words.ts'

const ids = ['0199aaaa-bbbb', '0199aaaa-bbcc', '7f3e2a10-9d8c', 'main', 'main-2']

it('shortens an id as far as no other begins so', () => {
  const short = shortIds(ids)
  expect(ids.map(short)).toEqual(['0199aaaa-bbb', '0199aaaa-bbc', '7f3e2a10', 'main', 'main-2'])
  expect(short('unknown')).toBe('unknown')
})

it('finds every id by its short form', () => {
  for (const id of ids) expect(idStartingWith(ids, shortIds(ids)(id))).toBe(id)
})

it('takes an id that is also the beginning of another, and leaves what it does not know', () => {
  expect(idStartingWith(ids, 'main')).toBe('main')
  expect(idStartingWith(ids, 'nowhere')).toBe('nowhere')
  expect(idStartingWith([...ids, 'main'], 'main-')).toBe('main-2')
})

it('lists what an ambiguous beginning could mean', () => {
  expect(() => idStartingWith(ids, '0199')).toThrow(
    new UsageError(
      '0199 is the beginning of 2 ids; type more of the one you mean:\n  0199aaaa-bbbb\n  0199aaaa-bbcc',
    ),
  )
  const many = Array.from({ length: 12 }, (_, at) => `x${at}`)
  expect(() => idStartingWith(many, 'x')).toThrow(/… and 2 more$/)
})
