import { expect, it } from 'vitest'
import { tokenize } from './tokenize.ts'

const text = (source: string, language: string) =>
  tokenize(source, language)
    .map((line) => line.map((token) => token.text).join(''))
    .join('\n')

it.each([
  ['ts', "const a = 'it\\'s' // why\n/* a\nb */ `x\u0024{1}\ny` 0x1F\n"],
  ['py', '"""doc\nmore""" # note\ndef f(x): return None'],
  ['sql', "SELECT 'a''b' -- all\nFROM t"],
  ['unknown', 'anything "at all'],
  ['rs', "let c = 'static; // don't"],
])('loses and adds nothing in %s', (language, source) =>
  expect(text(source, language)).toBe(source),
)

it('tells words, texts, numbers and comments', () => {
  expect(tokenize('return "a" + 12 // end', 'ts')).toEqual([
    [
      { text: 'return', kind: 'word' },
      { text: ' ' },
      { text: '"a"', kind: 'text' },
      { text: ' + ' },
      { text: '12', kind: 'number' },
      { text: ' ' },
      { text: '// end', kind: 'comment' },
    ],
  ])
  expect(tokenize('SELECT 1', 'sql')[0]?.[0]).toEqual({ text: 'SELECT', kind: 'word' })
})

it('shows a huge file plainly instead of slowly', () => {
  expect(tokenize('const a = 1\n'.repeat(50_000), 'ts')[0]).toEqual([{ text: 'const a = 1' }])
})

it('comes to an end with text made to be slow, and finds what is closed behind an apostrophe', () => {
  for (const piece of ['\\"', "\\'", '\\`'])
    expect(text(piece.repeat(150_000), 'ts').length).toBe(300_000)
  expect(tokenize(`it's "fine"\n'so' is this`, 'py').flat()).toContainEqual({
    text: '"fine"',
    kind: 'text',
  })
  expect(tokenize(`it's "fine"\n'so' is this`, 'py').flat()).toContainEqual({
    text: "'so'",
    kind: 'text',
  })
})
