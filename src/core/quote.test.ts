import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteBlock, quoteLine } from './quote.ts'

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
        for (const line of quoteBlock(text).split(/[\n\r\u2028\u2029\u0085\v\f]/))
          expect(line).toMatch(/^>( |$)/)
      }),
    )
  })

  it('keeps ordinary text as it is', () => {
    expect(quoteLine('Add a page, please.')).toBe('Add a page, please.')
    expect(quoteLine('Добавь страницу 🙂')).toBe('Добавь страницу 🙂')
    expect(quoteBlock('one\n\n  two')).toBe('> one\n>\n>   two')
  })
})
