import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

describe('the difference between two texts', () => {
  it('is nothing where they are the same', () => {
    expect(lineDiff('a\nb', 'a\nb')).toBe('')
  })

  it('shows what came and went, with the lines around it', () => {
    expect(lineDiff('a\nb\nc', 'a\nx\nc\nd')).toBe(' a\n-b\n+x\n c\n+d')
  })

  it('leaves out what is far from a change', () => {
    const old = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    const made = old.map((line, at) => (at === 10 ? 'new' : line))
    expect(lineDiff(old.join('\n'), made.join('\n'))).toBe(
      '@ …\n line 7\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n line 13\n@ …',
    )
  })
})
