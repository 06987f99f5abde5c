import { describe, expect, it } from 'vitest'
import { lex } from './lex.ts'

describe('markdown as data', () => {
  it('comes to an end with text made to be slow', () => {
    const pieces = ['**a', '`a', '[a](', '*a_', '~~x', '<http://', '_', '![a](<', '- a\n ', '| a\n']
    for (const piece of pieces) {
      expect(lex(`${piece.repeat(90)}\n\n`.repeat(150)).length).toBeGreaterThan(0)
      for (const end of ['', '\n', '\n\n'])
        expect(lex((piece + end).repeat(20_000)).length).toBeGreaterThan(0)
    }
  })
})
