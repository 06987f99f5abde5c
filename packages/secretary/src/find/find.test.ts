import { silentLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it } from 'vitest'
import {
  type Finder,
  type Found,
  type FoundKind,
  findAll,
  type Narrowing,
  parseWanted,
} from './find.ts'

const caller = { user: 'ada', project: '/shop' }
const never = new AbortController().signal
const hit = (title: string, at?: number): Found => ({ title, at, why: 'the title' })
const finder = (kind: FoundKind, found: Found[], narrowedBy: Narrowing[] = []): Finder => ({
  kind,
  narrowedBy,
  find: async () => found,
})
const titles = async (finders: Finder[], typed: string, limit = 5) => {
  const groups = await findAll({ finders, log: silentLog }, caller, { typed, limit }, never)
  return groups.map(({ kind, found }) => [kind, ...found.map(({ title }) => title)])
}

it('shows groups in their order, and of the best in each the latest first', async () => {
  const tasks = finder('task', [hit('best', 1), hit('second', 3), hit('third', 2), hit('cut', 9)])
  const requests = finder('request', [hit('asked')])
  expect(await titles([tasks, requests], 'price', 3)).toEqual([
    ['request', 'asked'],
    ['task', 'second', 'third', 'best'],
  ])
})

it('keeps the rank of what has no date', async () => {
  expect(await titles([finder('file', [hit('a'), hit('b'), hit('c')])], 'price')).toEqual([
    ['file', 'a', 'b', 'c'],
  ])
})

it('asks only those that can be narrowed so, and shows the others where one fails', async () => {
  const broken: Finder = {
    ...finder('task', [], ['agent']),
    find: () => Promise.reject(new Error()),
  }
  const finders = [finder('file', [hit('f')]), finder('request', [hit('r')], ['agent']), broken]
  expect(await titles(finders, 'agent:codex price')).toEqual([['request', 'r']])
  expect(await titles(finders, '  ')).toEqual([])
})

const NOW = Date.parse('2026-03-10T12:00:00Z')

describe('what is typed into the search', () => {
  it('is words and what narrows them, in any order', () => {
    expect(parseWanted('agent:codex picking  slots file:src/slots', 5, NOW)).toMatchObject({
      words: 'picking slots',
      agent: 'codex',
      file: 'src/slots',
      limit: 5,
    })
    expect(parseWanted('project:"my orchard" slots', 5, NOW).project).toBe('my orchard')
  })

  it('takes a day, or so many days back', () => {
    expect(parseWanted('after:2026-03-01', 5, NOW).after).toBe(Date.parse('2026-03-01'))
    expect(parseWanted('after:7d x', 5, NOW).after).toBe(NOW - 7 * 86_400_000)
  })

  it('is not narrowed by what it does not understand', () => {
    expect(parseWanted('after:soon slots', 5, NOW)).toMatchObject({
      words: 'slots',
      after: undefined,
    })
    expect(parseWanted('http://x agent:', 5, NOW)).toMatchObject({
      words: 'http://x',
      agent: undefined,
    })
  })
})
