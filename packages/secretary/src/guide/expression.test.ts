import { Failure } from '@secretary-mcp/core/failure.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { formatPart, parseExpression } from './select.ts'

describe('parseExpression', () => {
  it.each([
    ['lang', undefined, [{ name: 'lang', patterns: undefined }]],
    ['lang/python', undefined, [{ name: 'lang', patterns: ['python'] }]],
    ['lang', 'python', [{ name: 'lang', patterns: ['python'] }]],
    ['lang/python+java', undefined, [{ name: 'lang', patterns: ['python', 'java'] }]],
    ['docs/api/v1', undefined, [{ name: 'docs', patterns: ['api/v1'] }]],
    [
      ' a , b/c ',
      undefined,
      [
        { name: 'a', patterns: undefined },
        { name: 'b', patterns: ['c'] },
      ],
    ],
    [
      'a/b,c',
      'd',
      [
        { name: 'a', patterns: ['b'] },
        { name: 'c', patterns: ['d'] },
      ],
    ],
    ['lang/{go,rust}.md', undefined, [{ name: 'lang', patterns: ['{go,rust}.md'] }]],
    ['lang/', undefined, [{ name: 'lang', patterns: undefined }]],
  ])('reads %j with the pattern %j', (expression, pattern, expected) => {
    expect(parseExpression(expression, pattern)).toEqual(expected)
  })

  it('reads back what it has written', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/)
    const parts = fc.array(
      fc.record({
        name,
        patterns: fc.option(fc.array(name, { minLength: 1, maxLength: 4 }), { nil: undefined }),
      }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(parts, (given) => {
        expect(parseExpression(given.map(formatPart).join(','))).toEqual(given)
      }),
    )
  })

  it('answers any text with parts or with a failure of its own, never otherwise', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          expect(parseExpression(text).length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })
})
