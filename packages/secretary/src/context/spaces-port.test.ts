import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ContextSpaces, spacesOf } from './requests-in-spaces.ts'

const ada = { user: 'ada', project: '/orchard' }
const { signal } = new AbortController()
const asking = (readableSpaces: ContextSpaces['readableSpaces']) =>
  spacesOf(ada, { readableSpaces, require: () => Promise.reject(new Error('unused')) }, signal)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a search looks at the spaces of the caller, and at none where the database does not answer', async () => {
  expect(await asking(async () => ['web'])).toEqual(['web'])
  expect(await asking(() => Promise.reject(new Error('the database is away')))).toEqual([])
  expect(await spacesOf(ada, undefined, signal)).toEqual([])
  const silent = asking(() => new Promise(() => {}))
  await vi.runAllTimersAsync()
  expect(await silent).toEqual([])
})
