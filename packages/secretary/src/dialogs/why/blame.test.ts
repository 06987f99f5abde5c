import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { noSignal } from '../../../../../test/support/dialogs-service.ts'
import { hostileRepository, PROGRAM_KEYS } from '../../../../../test/support/hostile-repository.ts'
import { blame } from './blame.ts'

describe('a repository’s own configuration', () => {
  it('runs no program while a line’s origin is looked up', async () => {
    const { file, trace } = hostileRepository(PROGRAM_KEYS)
    const lines = await blame(file, noSignal)
    expect(lines).toHaveLength(2)
    expect(lines?.[0]?.commit).toMatch(/^[\da-f]{40}/)
    expect(lines?.[1]).toBeUndefined()
    expect(existsSync(trace)).toBe(false)
  })

  it('is not asked at all where a filter has a name that cannot be turned off', async () => {
    const { file, trace } = hostileRepository(['filter.a=b.clean'])
    expect(await blame(file, noSignal)).toBeUndefined()
    expect(existsSync(trace)).toBe(false)
  })
})
