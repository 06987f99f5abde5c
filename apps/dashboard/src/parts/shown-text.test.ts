import { describe, expect, it } from 'vitest'
import { shownBeginning, shownPreview } from './shown-text.ts'

describe('what the page shows of a long text', () => {
  it('ends at a word, with a sign that something is missing', () => {
    expect(shownBeginning('one two three', 100)).toBe('one two three')
    expect(shownBeginning('one two, three four', 10)).toBe('one two…')
    expect(shownBeginning('one two three', 8)).toBe('one two…')
    expect(shownBeginning('🐈'.repeat(50), 10)).toBe(`${'🐈'.repeat(4)}…`)
  })

  it('says so of a preview that is as long as they get', () => {
    expect(shownPreview('Short')).toBe('Short')
    expect(shownPreview(`${'word '.repeat(15)}cut o`)).toBe(`${'word '.repeat(15)}cut…`)
  })
})
