import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../../../test/support/any-text.ts'
import { renderTemplate } from '../render-document.ts'
import { parseTemplate, TemplateError } from './parse-document.ts'

const data = {
  project: { name: 'shop', tags: ['a', 'b'] },
  flags: { on: true, off: false, list: ['x', 'y'] },
}
const render = (source: string, parts: Record<string, string> = {}, longest = 10_000) =>
  renderTemplate(parseTemplate(source), {
    data,
    longest,
    partial: (name) => (Object.hasOwn(parts, name) ? parseTemplate(parts[name] ?? '') : undefined),
  })

describe('templates', () => {
  it.each([
    ['{{project.name}} {{{project.name}}} {{&project.name}}', 'shop shop shop'],
    ['{{#flags.on}}yes{{/flags.on}}{{^flags.on}}no{{/flags.on}}', 'yes'],
    ['{{#flags.off}}yes{{/flags.off}}{{^flags.off}}no{{/flags.off}}', 'no'],
    ['{{#project.tags}}[{{.}}]{{/project.tags}}', '[a][b]'],
    ['{{#project}}{{name}}{{/project}}', 'shop'],
    ['{{project.tags}}', 'a, b'],
    ['{{project.nothing}}|', '|'],
    ['a{{! a comment\nover lines }}b', 'ab'],
    ['x\n{{> nothing here }}\n', 'x\n{{> nothing here }}\n'],
    ['x\n{{#flags.on}}\ny\n{{/flags.on}}\nz', 'x\ny\nz'],
    ['<b>&"{{project.name}}"', '<b>&"shop"'],
  ])('renders %j as %j', (source, expected) => {
    expect(render(source)).toBe(expected)
  })

  it.each([
    "style={{ color: 'red' }}",
    '{{ user.name }}',
    '{{ . | upper }}',
    '{{constructor}}',
    '{{toString}}',
    '{{',
    '}}{{',
  ])('leaves %j as it is', (source) => {
    expect(render(source)).toBe(source)
  })

  it.each(['{{#a}}', '{{/a}}', '{{#a}}{{/b}}', '{{#a}}'.repeat(30)])('refuses %j', (source) => {
    expect(() => parseTemplate(source)).toThrow(TemplateError)
  })

  it('includes other documents, and ends where they include each other', () => {
    expect(render('{{> a}}!', { a: 'A{{> b}}', b: 'B' })).toBe('AB!')
    expect(() => render('{{> a}}', { a: '{{> b}}', b: '{{> a}}' })).toThrow(/include each other/)
    expect(() => render('{{> gone}}')).toThrow(/does not exist/)
  })

  it('ends where sections multiply, in length and in steps', () => {
    const nested = (inner: string) =>
      '{{#flags.list}}'.repeat(18) + inner + '{{/flags.list}}'.repeat(18)
    expect(() => render(nested('text'))).toThrow(/grows beyond/)
    expect(() => render(nested(''))).toThrow(/steps/)
  })

  it.each(['{{', '{{!', '{{#a}}{{/a}}', '{{{', '}}', '{{ ', '{{!}}'])(
    'reads a million characters of %j in one pass',
    (piece) => {
      const source = piece.repeat(1_000_000 / piece.length)
      expect(() => parseTemplate(source)).not.toThrow()
      expect(() => parseTemplate(`${source}}}`)).not.toThrow()
    },
  )

  it('gives text without tags back unchanged, whatever it is', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => !text.includes('{{')),
        (text) => {
          expect(render(text)).toBe(text)
        },
      ),
    )
  })
})
