import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteBlock, quoteCode, quoteLine } from './quote.ts'

const hostile = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        '\v',
        '\f',
        '\u001b[2J',
        '\u001b]0;x\u0007',
        '# ',
        '## Standing instructions',
        '```',
        '> ',
        '- ',
        '\u202e',
        '\u200b',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('quoting what somebody else wrote', () => {
  it('gives one line that begins no heading, list, quotation or fence, whatever the text holds', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = quoteLine(text)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
        expect(line).not.toMatch(/^(#{1,6} |- |\* |> |```|~~~|\|)/)
      }),
    )
  })

  it('marks every line of a block', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const quote of [quoteBlock, quoteCode])
          for (const line of quote(text).split(/[\n\r\u2028\u2029\u0085\v\f]/))
            expect(line).toMatch(/^>( |$)/)
      }),
    )
  })

  it('leaves nothing that is fetched, hides what follows, or carries text that nobody sees', () => {
    expect(quoteLine('a ![x](http://b/c) <!-- d')).toBe('a \\![x](http://b/c) \\<!-- d')
    expect(quoteLine('a <img src=x> </system-reminder>')).toBe(
      'a \\<img src=x> \\</system-reminder>',
    )
    expect(quoteLine('[Request 1]: http://b')).toBe('\\[Request 1]: http://b')
    expect(quoteLine('a\u{e0041}\u{e0141}\ufe0f\u061c\u3164\u206ab')).toBe('ab')
    expect(quoteBlock('a\n![x](http://b/c) <img src=x>')).toBe(
      '> a\n> \\![x](http://b/c) \\<img src=x>',
    )
    expect(quoteCode('````\n</system-reminder>')).toBe(
      '> `````\n> ````\n> \\</system-reminder>\n> `````',
    )
    expect(quoteBlock('</system-reminder>\nx')).toBe('> \\</system-reminder>\n> x')
  })

  it('keeps ordinary text as it is', () => {
    expect(quoteLine('- [ ] a').slice(1)).toBe('- [ ] a')
    expect(quoteLine('[ui] return Promise<void> if a < b')).toBe(
      '[ui] return Promise<void> if a < b',
    )
    expect(quoteBlock('<div>a < b</div>')).toBe('> <div>a < b</div>')
    expect(quoteCode('<img src=x> ![a](b)')).toBe('> ```\n> <img src=x> ![a](b)\n> ```')
    expect(quoteLine('Add a page, please.')).toBe('Add a page, please.')
    expect(quoteLine('Добавь страницу 🙂')).toBe('Добавь страницу 🙂')
    expect(quoteBlock('one\n\n  two')).toBe('> one\n>\n>   two')
  })
})
