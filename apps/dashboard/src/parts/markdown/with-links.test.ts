import { describe, expect, it } from 'vitest'
import { withLinks } from './with-links.ts'

describe('what an answer speaks of', () => {
  it('leads to the tasks it names, but not out of code', () => {
    expect(withLinks('Task 12 is done, see #7.')).toBe(
      '[Task 12](task:12) is done, see [#7](task:7).',
    )
    expect(withLinks('`task 3` and\n```\n#4\n```')).toBe('`task 3` and\n```\n#4\n```')
  })
})
