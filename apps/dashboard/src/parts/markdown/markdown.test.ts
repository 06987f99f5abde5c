import { describe, expect, it } from 'vitest'
import { isSafeAddress, lex } from './lex.ts'

const types = (text: string): string[] => {
  const found: string[] = []
  JSON.stringify(lex(text), (key, value) => {
    if (key === 'type') found.push(value)
    return value
  })
  return found
}

describe('markdown as data', () => {
  it('knows headings, code, quotes, rules, tables, lists and tasks', () => {
    const text =
      '# Title #\n\nTwo\r\nlines\n\n```ts\nconst a = 1\n```\n> said\n\n---\n\n| a | b |\n|---|:-:|\n| 1 | x\\|y |\n\n3. three\n   - [x] inner\n'
    const blocks = lex(text).map(({ type }) => type)
    expect(blocks.filter((type) => type !== 'space')).toEqual([
      'heading',
      'paragraph',
      'code',
      'blockquote',
      'hr',
      'table',
      'list',
    ])
    expect(types(text)).toContain('checkbox')
  })

  it('leaves names with underscores and lone stars alone', () => {
    expect(types('MAX_OPEN_FILES and 2 * 3 * 4')).toEqual(['paragraph', 'text'])
  })

  it('shows the words of what is too deep, too long or too full of marks', () => {
    for (const text of ['> '.repeat(5_000), '1. '.repeat(5_000), '+ * - '.repeat(5_000)])
      expect(lex(text)).toMatchObject([{ type: 'text', text }])
    expect(types('*a_'.repeat(5_000))).toEqual(['paragraph', 'text'])
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/api/v1/tasks',
    ' javascript:x',
  ])('makes no link to %s', (to) => expect(isSafeAddress(to)).toBe(false))

  it('links what is safe to link', () => {
    for (const to of ['https://x.example', 'HTTP://x', 'mailto:a@b.c', 'guide://lang/zig.md'])
      expect(isSafeAddress(to)).toBe(true)
  })
})
