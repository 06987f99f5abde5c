import { styleText } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cutToWidth, ownColour, padToWidth, textWidth, visibleText } from './visible-text.ts'

it.each([
  ['a title', '\u001b]0;evil\u0007', '\\u001b]0;evil\\u0007'],
  ['a cleared screen', '\u001b[2Jx', '\\u001b[2Jx'],
  ['a colour', '\u001b[31mred', '\\u001b[31mred'],
  ['an eight-bit sequence', '\u009b2J', '\\u009b2J'],
  ['an overwritten line', 'safe\rrm -rf', 'safe\\u000drm -rf'],
  ['a backspace', 'a\bb', 'a\\u0008b'],
  ['text turned around', 'a\u202eb', 'a\\u202eb'],
  ['what turns no sign but the text around it', 'a\u061cb\u206ac', 'a\\u061cb\\u206ac'],
  [
    'text that nobody sees',
    'a\u200b\ufeff\u3164b\u{e0041}',
    'a\\u200b\\ufeff\\u3164b\\udb40\\udc41',
  ],
  ['other ends of lines', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
  ['no colour that a file asks for in our place', '\uFDD0[8mx', '\uFDD0[8mx'],
  ['emoji and scripts that join', '👩‍👩‍👧 ❤️ می‌خواهم', '👩‍👩‍👧 ❤️ می‌خواهم'],
  ['ordinary text', 'é 日本 \t ok\r\nnext\n', 'é 日本 \t ok\r\nnext\n'],
])('writes %s out', (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

it('keeps the colours that we chose, and JSON as it is', () => {
  const red = styleText('red', 'x', { validateStream: false })
  expect(visibleText(ownColour(red))).toBe(red)
  expect(JSON.parse(visibleText(JSON.stringify({ a: '\u009b\u001b\u202e' })))).toEqual({
    a: '\u009b\u001b\u202e',
  })
})

const red = (text: string) => ownColour(styleText('red', text, { validateStream: false }))

describe('the width of a text on a screen', () => {
  it.each([
    ['plain', 5],
    ['', 0],
    ['日本語', 6],
    ['한국어', 6],
    ['ﾊﾝｶｸ', 4],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['·✓…—', 4],
    ['zero\u200bwidth', 9],
    [red('red'), 3],
    ['日'.repeat(1_000), 2_000],
    ['👩‍👩‍👧 '.repeat(500), 1_500],
  ])('%s fills %d columns', (text, width) => {
    expect(textWidth(text)).toBe(width)
  })
})

describe('a text that is cut to a width', () => {
  it('stays as it is where it fits, and on a pipe', () => {
    expect(cutToWidth('it fits', 7)).toBe('it fits')
    expect(cutToWidth('x'.repeat(1000), Number.POSITIVE_INFINITY)).toHaveLength(1000)
  })

  it('ends at a word', () => {
    expect(cutToWidth('a text that is too long', 12)).toBe('a text that…')
    expect(cutToWidth('a text, that is too long', 10)).toBe('a text…')
  })

  it('never fills more than the width, nor cuts through a character', () => {
    for (let columns = 1; columns < 40; columns++)
      for (const text of [
        '日本語のとても長いタイトル',
        '👩‍👩‍👧🎉'.repeat(9),
        `one ${'🇩🇪'.repeat(20)} two`,
      ]) {
        const cut = cutToWidth(text, columns)
        expect(textWidth(cut)).toBeLessThanOrEqual(columns)
        expect(cut).not.toMatch(/\u200d…|^\p{Regional_Indicator}…/u)
      }
  })

  it('ends every colour that it began', () => {
    const cut = cutToWidth(`see ${red('a long red text')} and more`, 12)
    expect(visibleText(cut)).toBe(visibleText(`see ${red('a long…')}`))
  })

  it('pads by what is seen', () => {
    expect(padToWidth('日本', 6)).toBe('日本  ')
    expect(padToWidth(red('ab'), 3)).toBe(`${red('ab')} `)
  })
})
