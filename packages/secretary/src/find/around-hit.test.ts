import { expect, it } from 'vitest'
import { aroundHit, withoutMarks } from './find.ts'

it('shows an answer without the marks of Markdown', () => {
  const answer = [
    '## Done',
    '- `src/book-slot.ts` holds the rule of **at most six pickers**',
    '1. the list reads `a ** b`',
    '| orchard | meant |',
    '|---|---|',
    '```ts',
    'bookSlot(slot)',
    '```',
  ].join('\n')
  expect(withoutMarks(answer).split('\n').filter(Boolean)).toEqual([
    'Done',
    'src/book-slot.ts holds the rule of at most six pickers',
    'the list reads a ** b',
    'orchard | meant',
    'bookSlot(slot)',
  ])
  expect(aroundHit(withoutMarks(answer), 'pickers')).toContain('at most six pickers')
})

it('takes a long line full of marks apart at once', () => {
  const blanks = ' '.repeat(1_000_000)
  const long = ['*'.repeat(100_000), '`'.repeat(100_000), `| ${'- '.repeat(50_000)}`]
  for (const marks of [...long, `${blanks}x`, `x${blanks}y`, `|${blanks}x`, `- ${blanks}|x`])
    expect(withoutMarks(marks).length).toBeLessThanOrEqual(marks.length)
})
