import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { oneLine } from './terminal.ts'

it('a row on a pipe is one line that moves no cursor and hides nothing, whatever it holds', () => {
  const pieces = fc.oneof(
    anyText,
    fc.constantFrom('\n', '\r\n', '\u2028', '\u0085', '\v', '\u001b[2J', '\u202e', '# ', '```\n'),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      expect(oneLine(parts.join(''))).not.toMatch(/(?!\t)[\p{Cc}\u2028-\u202e]/u)
    }),
  )
})
