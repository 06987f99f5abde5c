import { describe, expect, it } from 'vitest'
import { parseBlocks } from './blocks.ts'
import { type Inline, parseInline } from './inline.ts'

describe('markdown as data', () => {
  it('knows headings, paragraphs, fences, quotes, rules and tables', () => {
    const source =
      '# Title #\n\nTwo\nlines\n\n```ts\nconst a = 1\n```\n> said\n\n---\n| a | b |\n|---|:-:|\n| 1 | x\\|y |\n'
    expect(parseBlocks(source)).toEqual([
      { kind: 'heading', level: 1, text: 'Title' },
      { kind: 'paragraph', text: 'Two\nlines' },
      { kind: 'code', language: 'ts', text: 'const a = 1' },
      { kind: 'quote', blocks: [{ kind: 'paragraph', text: 'said' }] },
      { kind: 'rule' },
      { kind: 'table', head: ['a', 'b'], rows: [['1', 'x|y']] },
    ])
  })

  it('nests lists, and tells numbered from plain', () => {
    const [list] = parseBlocks('3. three\n4. four\n   - inner\n   - other\n')
    expect(list).toMatchObject({
      kind: 'list',
      ordered: true,
      start: 3,
      items: [[{ text: 'three' }], [{ text: 'four' }, { kind: 'list' }]],
    })
    expect(parseBlocks('- a\n\n  more of a\n- b')).toMatchObject([
      { kind: 'list', items: [[{ text: 'a' }, { text: 'more of a' }], [{ text: 'b' }]] },
    ])
  })

  it('ends whatever was left open', () => {
    expect(parseBlocks('```\nnever closed')).toEqual([
      { kind: 'code', language: '', text: 'never closed' },
    ])
    expect(parseBlocks('>'.repeat(5_000)).length).toBe(1)
    expect(parseBlocks('')).toEqual([])
  })

  it('marks words, and leaves names with underscores and lone stars alone', () => {
    expect(parseInline('a **b** `c` *d* ~~e~~')).toMatchObject([
      { text: 'a ' },
      { kind: 'strong', parts: [{ text: 'b' }] },
      { text: ' ' },
      { kind: 'code', text: 'c' },
      { text: ' ' },
      { kind: 'emphasis' },
      { text: ' ' },
      { kind: 'strike' },
    ])
    expect(parseInline('MAX_OPEN_FILES and 2 * 3 * 4')).toEqual([
      { kind: 'text', text: 'MAX_OPEN_FILES and 2 * 3 * 4' },
    ])
  })

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/api/v1/tasks',
    ' javascript:x',
  ])('makes no link to %s', (to) => {
    const kinds = (parts: readonly Inline[]): string[] =>
      parts.flatMap((part) => ['parts' in part ? kinds(part.parts) : [], part.kind].flat())
    expect(kinds(parseInline(`[press](${to})`))).not.toContain('link')
  })

  it('links what is safe to link', () => {
    expect(
      parseInline('[a](https://x.example) <https://y.example> https://z.example.'),
    ).toMatchObject([
      { kind: 'link', to: 'https://x.example' },
      { text: ' ' },
      { kind: 'link', to: 'https://y.example' },
      { text: ' ' },
      { kind: 'link', to: 'https://z.example' },
      { text: '.' },
    ])
  })

  it('takes a title behind an address, and an address in angle brackets', () => {
    expect(
      parseInline('[a](https://x.example "t i t l e") [b](<https://y.example>)'),
    ).toMatchObject([
      { kind: 'link', to: 'https://x.example' },
      { text: ' ' },
      { kind: 'link', to: 'https://y.example' },
    ])
  })

  it('comes to an end with text made to be slow', () => {
    for (const piece of ['**a', '`a', '[a](', '*a_', '~~x', '<http://']) {
      // Just short enough that marks are looked for in it.
      const paragraph = piece.repeat(Math.floor(7_900 / piece.length))
      for (let time = 0; time < 10; time++)
        expect(parseInline(paragraph).length, piece).toBeGreaterThan(0)
      expect(
        parseBlocks(`${piece.repeat(2_000)}\n- ${piece}`.repeat(20)).length,
        piece,
      ).toBeGreaterThan(0)
    }
  })
})
