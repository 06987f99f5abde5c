import { expect, it } from 'vitest'
import { table } from './table.ts'
import { cutToWidth, textWidth } from './visible-text.ts'

const rows = [
  ['ID', 'AGENT', 'ABOUT'],
  ['a1', 'claude-code', 'Let people log in with a passkey'],
  ['b22', 'codex', '日本語のタイトル'],
]

it('gives each column the width of its longest cell, and a pipe all of them', () => {
  expect(table(rows)).toEqual([
    'ID   AGENT        ABOUT',
    'a1   claude-code  Let people log in with a passkey',
    'b22  codex        日本語のタイトル',
  ])
})

it('leaves out what is needed least before the last column says nothing', () => {
  expect(table(rows, { columns: 40, spare: [1] })[1]).toContain('claude-code')
  expect(table(rows, { columns: 30, spare: [1] })).toEqual([
    'ID   ABOUT',
    'a1   Let people log in with a passkey',
    'b22  日本語のタイトル',
  ])
})

it('shortens the widest of the others where nothing can be left out', () => {
  const long = [['a'.repeat(50), 'short', 'what it is about, in some words']]
  const [line = ''] = table(long, { columns: 50 })
  expect(textWidth(cutToWidth(line, 50))).toBeLessThanOrEqual(50)
  expect(line).toMatch(/^a+… {2}short {2}what it is/)
})
