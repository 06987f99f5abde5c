import { silentLog } from '@secretary-mcp/core/log.ts'
import { expect, it } from 'vitest'
import { findAll } from './find.ts'
import type { Finder, Found, FoundKind, Narrowing } from './find-types.ts'

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
