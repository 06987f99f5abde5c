import { describe, expect, it } from 'vitest'
import type { Sense } from '../languages/translate.ts'
import { indexTerms } from '../text/index-terms.ts'
import { likestText, saidIn, textsIn } from './search-all.ts'

describe('how much a text in the code is like a translated message', () => {
  const senses = [sense('delete remove failed'), sense('open'), sense('file'), sense('temporary')]
  const worth = [2, 1, 1, 4]
  const likeness = (content: string) => likestText(senses, worth, content)

  it('is whole where every sense is there, in any order and by any of its words', () => {
    expect(likeness('throw new Error("failed to open the temporary file")')).toBe(1)
    expect(likeness("print 'temporary file: open failed'")).toBe(1)
  })

  it('is less where a sense is missing, by what that sense is worth', () => {
    expect(likeness('"failed to open the file"')).toBeCloseTo(8 / 12)
    expect(likeness('"the temporary file"')).toBeCloseTo(10 / 13)
  })

  it('is less where the text says something else besides', () => {
    expect(likeness('"failed to open temporary file, trying another disk"')).toBeCloseTo(16 / 22)
  })

  it('counts a sense once, however often and by however many words it is there', () => {
    expect(likeness('"delete remove failed file file"')).toBeCloseTo(6 / 11)
  })

  it('is nothing where the words are spread over several texts, or are names in the code', () => {
    expect(likeness('"the temporary one", "some file here"')).toBe(0)
    expect(likeness('temporaryFile.open() || failed("open-temporary-file")')).toBe(0)
    expect(likeness('')).toBe(0)
  })

  it('is that of the best passage for a file, and half for two words', () => {
    const passages = [
      { id: 1, fileId: 7, content: '"open that file"' },
      { id: 2, fileId: 7, content: '"the open file"' },
      { id: 3, fileId: 8, content: 'const open = file' },
    ]
    const two = [sense('open'), sense('file')]
    expect(saidIn(two, () => 1, passages)).toEqual(new Map([[7, 0.5]]))
    expect(saidIn(two.slice(1), () => 1, passages)).toEqual(new Map())
    const [, , , rare] = senses
    const three = saidIn([...two, rare as Sense], () => 1, passages)
    expect(three.get(7)).toBeCloseTo((4 / 5) ** 2)
  })
})

function sense(words: string): Sense {
  return { terms: indexTerms(words), isTranslated: true }
}

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
