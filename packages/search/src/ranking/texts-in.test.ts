import { expect, it } from 'vitest'
import { textsIn } from './texts-in.ts'

it('finds what stands in quotes', () => {
  expect(textsIn(`fail("Cannot open it", 'nor read it', \`nor write it\`)`)).toEqual([
    'Cannot open it',
    'nor read it',
    'nor write it',
  ])
  expect(textsIn('"a \\"quoted\\" word"')).toEqual(['a \\"quoted\\" word'])
})

it('leaves out names, paths and what is too short', () => {
  expect(textsIn(`read('src/page/main.ts', "some-name", "x y")`)).toEqual([])
})

it.each([
  ['one after the other', 'fail("Cannot open "\n     "the file")'],
  ['with a plus', "fail('Cannot open ' +\n     'the file')"],
  ['with a plus in front', "fail('Cannot open '\n  + 'the file')"],
  ['with a backslash', 'fail("Cannot open " \\\n  "the file")'],
  ['with a letter in front', 'fail(f"Cannot open "\n     f"the file")'],
])('joins a text that goes on in the next line, %s', (_name, code) => {
  expect(textsIn(code)).toEqual(['Cannot open the file'])
})

it('finds what stands between the marks of a template, with what is marked inside it', () => {
  const template =
    '<p>Your order of {{ day }} is <em>on its</em> way</p>{% trans %}Thank you all{% end %}'
  expect(textsIn(template).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'Your order of is on its way',
    'Thank you all',
  ])
})

it.each([
  ['blanks behind a quote', `"${' '.repeat(200_000)}`],
  ['quotes', `"'\``.repeat(70_000)],
  ['opened marks', '<a '.repeat(70_000)],
  ['opened braces', '{{'.repeat(100_000)],
  ['closed braces', '}'.repeat(200_000)],
])('reads on through very many %s', (_name, content) => {
  expect(textsIn(content)).toEqual([])
})
