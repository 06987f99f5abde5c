import { describe, expect, it, vi } from 'vitest'
import { l10n } from '../../test/vscode-fake.ts'
import { ago, requestCount } from './wording.ts'

const MINUTE = 60_000

describe('what is counted', () => {
  it.each([
    [0, 'just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE, '59 minutes ago'],
    [25 * 60 * MINUTE, '1 day ago'],
  ])('is told in English: %i ms are %s', (passed, words) =>
    expect(ago(1e12, 1e12 + passed)).toBe(words),
  )

  it.each([
    [0, '0 запросов'],
    [2, '2 запроса'],
    [5, '5 запросов'],
    [11, '11 запросов'],
    [12, '12 запросов'],
    [21, '21 запрос'],
    [114, '114 запросов'],
  ])('has the ending that Russian wants: %i is %s', (count, words) => {
    vi.spyOn(l10n, 't').mockReturnValue(`${count} запрос|${count} запроса|${count} запросов`)
    expect(requestCount(count)).toBe(words)
    vi.restoreAllMocks()
  })
})
