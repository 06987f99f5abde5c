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

const kinds = (source: string, language: string, kind: string) =>
  tokenize(source, language)
    .flat()
    .filter((token) => token.kind === kind)
    .map((token) => token.text)

it.each([
  ['a glob', 'ts', "const all = ['**/*.ts', 'src/**/*']\nrun(all) // all", ['// all']],
  ['a pattern with a star', 'ts', 'const blank = /\\s*/g // blank', ['// blank']],
  ['a pattern with a quote', 'ts', "a.replace(/'/g, '') // b", ['// b']],
  ['a division', 'ts', 'const a = b / c // d\nconst e = (f) / 2 // g', ['// d', '// g']],
  ['a template in a template', 'ts', '`a $' + '{b ? `// c` : ""} d` // e', ['// e']],
  ['a nested comment', 'rs', '/* a /* b */ c */ d', ['/* a /* b */ c */']],
  ['an address', 'css', 'a { background: url(https://a.b) }', []],
  ['a parameter', 'sh', 'echo $# "$' + '{#a}" # count', ['# count']],
  ['a text in a text', 'sh', 'a="$(dirname "$0")" # b', ['# b']],
  ['an apostrophe', 'yaml', "a: it's Bob's # b", ['# b']],
])('is not misled by %s', (_what, language, source, comments) =>
  expect(kinds(source, language, 'comment')).toEqual(comments),
)

it('leaves the words between two tags plain', () => {
  const view = '<p class="lead">\n  Wait for this or let it be (in any case).\n</p>'
  expect(kinds(view, 'tsx', 'word')).toEqual(['class'])
  expect(text(view, 'tsx')).toBe(view)
})

it('tells the name of a lifetime from a text', () => {
  expect(kinds("fn a<'b>(c: &'b str) { d('e') }", 'rs', 'text')).toEqual(["'e'"])
})

it.each([
  ['ts', ' * what it does\n */\nexport const a = 1', [' * what it does', ' */']],
  ['ts', 'does it well */\nconst a = 1', ['does it well */']],
])('sees that a piece of a file begins inside a comment', (language, source, comments) => {
  expect(kinds(source, language, 'comment')).toEqual(comments)
})

it('sees that a piece of a file begins inside a long text', () => {
  expect(kinds('what it does\n"""\nreturn 1', 'py', 'text')).toEqual(['what it does', '"""'])
})

it('comes to an end with templates as deep as the file', () => {
  const deep = '`$' + '{'
  expect(text(deep.repeat(100_000), 'ts')).toBe(deep.repeat(100_000))
})
