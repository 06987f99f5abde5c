import { styleText } from 'node:util'
import { expect, it } from 'vitest'
import { ownColour, visibleText } from './visible-text.ts'

it.each([
  ['a title', '\u001b]0;evil\u0007', '\\u001b]0;evil\\u0007'],
  ['a cleared screen', '\u001b[2Jx', '\\u001b[2Jx'],
  ['a colour', '\u001b[31mred', '\\u001b[31mred'],
  ['an eight-bit sequence', '\u009b2J', '\\u009b2J'],
  ['an overwritten line', 'safe\rrm -rf', 'safe\\u000drm -rf'],
  ['a backspace', 'a\bb', 'a\\u0008b'],
  ['text turned around', 'a\u202eb', 'a\\u202eb'],
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
