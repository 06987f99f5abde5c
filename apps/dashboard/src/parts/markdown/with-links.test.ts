import { describe, expect, it } from 'vitest'
import { withLinks } from './with-links.ts'

describe('what an answer speaks of', () => {
  it('leads to the tasks it names, but not out of code', () => {
    expect(withLinks('Task 12 is done, see #7.')).toBe(
      '[Task 12](task:12) is done, see [#7](task:7).',
    )
    expect(withLinks('You have 2 open tasks:\n· 1  Mow\n✓ 23  Sow 3 rows')).toBe(
      'You have 2 open tasks:\n· [1](task:1)  Mow\n✓ [23](task:23)  Sow 3 rows',
    )
    expect(withLinks('`task 3` and\n```\n#4\n```')).toBe('`task 3` and\n```\n#4\n```')
  })

  it('leads to the files it names, but to nothing else that is code', () => {
    expect(withLinks('See `src/slots/book-slot.ts:12` and `docs/a.md`.')).toBe(
      'See [`src/slots/book-slot.ts:12`](file:src/slots/book-slot.ts:12) and [`docs/a.md`](file:docs/a.md).',
    )
    for (const code of ['`npm test`', '`a.b`', '`/etc/hosts.conf`', '`../a/b.ts`', '`a/b`'])
      expect(withLinks(code)).toBe(code)
  })
})
