import { describe, expect, it } from 'vitest'
import { parseWanted } from './parse-wanted.ts'

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
