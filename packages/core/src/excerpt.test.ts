import { describe, expect, it } from 'vitest'
import { excerptOf, splitAtWords } from './excerpt.ts'

const text = [
  'export class Session {',
  ...Array.from({ length: 30 }, (_, at) => `  field${at} = 0`),
  '  refreshToken(token: string) {',
  '    return sign(token)',
  '  }',
  '}',
].join('\n')

describe('an excerpt', () => {
  it('shows the lines that match, not the first ones, and marks them', () => {
    const { skipped, lines, left } = excerptOf(text, 'where is the token refreshed?', 6)
    expect(skipped).toBe(29)
    expect(left).toBe(0)
    expect(lines.filter(({ marked }) => marked).map(({ text }) => text.trim())).toEqual([
      'refreshToken(token: string) {',
      'return sign(token)',
    ])
  })

  it('begins at the first line where nothing matches', () => {
    const { skipped, lines, left } = excerptOf(text, 'квартальный отчёт', 6)
    expect({ skipped, left, marked: lines.some(({ marked }) => marked) }).toEqual({
      skipped: 0,
      left: 29,
      marked: false,
    })
  })

  it('gives a short text whole', () => {
    expect(excerptOf('one\ntwo', 'two', 6)).toEqual({
      skipped: 0,
      lines: [
        { text: 'one', marked: false },
        { text: 'two', marked: true },
      ],
      left: 0,
    })
  })

  it('marks inflected words, and takes signs of a pattern as they are', () => {
    expect(splitAtWords('Сессии хранятся в Redis', 'где хранятся сессий')).toEqual([
      '',
      'Сессии',
      ' ',
      'хранятся',
      ' в Redis',
    ])
    expect(splitAtWords('a (b) c', '(b) [')).toEqual(['a (b) c'])
  })
})
