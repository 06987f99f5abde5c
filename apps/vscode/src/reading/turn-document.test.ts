import { describe, expect, it } from 'vitest'
import { placeOf, plain, turnMarkdown, turnUri } from './turn-document.ts'

const turn = {
  sessionId: 'a/b?c',
  source: 'codex' as const,
  position: 3,
  time: 1768490000000,
  request: 'Fix `<T>` in the parser',
  answer: 'Done.',
}

describe('a request as a page', () => {
  it('keeps its place in its address, whatever its words are', () => {
    const uri = turnUri({ ...turn, request: 'a/b#c?d' })
    expect(placeOf(uri)).toEqual({ sessionId: 'a/b?c', position: 3 })
    expect(uri.path).toBe('/3. a b c d.md')
  })

  it('says who was asked, what was answered and what was done', () => {
    const text = turnMarkdown({ source: 'codex', title: 'Parser' }, turn, ['src/parse.ts +3 −1'])
    expect(text).toMatch(/^# Request 3\n\nCodex · Parser · /)
    expect(text).toContain('## Answer\n\nDone.')
    expect(text).toContain('## What was done\n\n- src/parse.ts +3 −1')
    const unanswered = turnMarkdown({ source: 'codex' }, { ...turn, answer: undefined }, [])
    expect(unanswered).toContain('_No answer yet._')
  })

  it('has a long answer to its last word', () => {
    const answer = `${'A line of a long answer.\n'.repeat(10_000)}The end.`
    expect(turnMarkdown({ source: 'codex' }, { ...turn, answer }, [])).toContain(answer)
  })

  it.each([
    ['![x](https://example.org/leak)', '[x](https://example.org/leak)'],
    ['<img src="https://example.org/leak">', '&lt;img src="https://example.org/leak">'],
    ['a < b', 'a < b'],
    ['`<T>` and `![x]`', '`<T>` and `![x]`'],
    ['```\n<img>\n```\n<img>', '```\n<img>\n```\n&lt;img>'],
    ['~~~\n```\n<b>\n~~~\n<b>', '~~~\n```\n<b>\n~~~\n&lt;b>'],
  ])('fetches nothing: %j becomes %j', (given, shown) => expect(plain(given)).toBe(shown))
})
