import { describe, expect, it } from 'vitest'
import { shownBeginning, shownLine, shownPreview } from './preview.ts'
import { previewOf } from './redacted-preview.ts'

describe('what a person sees of a long text', () => {
  it('ends at a word, with a sign that something is missing', () => {
    expect(shownLine('one two three', 100)).toBe('one two three')
    expect(shownLine('one two three four', 12)).toBe('one two…')
    expect(shownLine('one two, three four', 10)).toBe('one two…')
    expect(shownLine('one two three', 8)).toBe('one two…')
    expect(shownLine('  one\n\ttwo ', 100)).toBe('one two')
  })

  it('is cut inside a word only where there is no other way, and never inside a character', () => {
    expect(shownLine('x'.repeat(200), 10)).toBe(`${'x'.repeat(9)}…`)
    expect(shownLine('修复登录问题'.repeat(10), 8)).toBe('修复登录问题修…')
    expect(shownLine('🐈'.repeat(50), 10)).toBe(`${'🐈'.repeat(4)}…`)
  })

  it('says so of a preview, which the index has cut already', () => {
    const request = `Add a dark theme to the settings page, and ${'remember '.repeat(9)}`
    expect(previewOf(request)).toHaveLength(80)
    expect(shownPreview('Short')).toBe('Short')
    expect(shownPreview(previewOf(request))).toBe(
      'Add a dark theme to the settings page, and remember remember remember remember…',
    )
  })

  it('keeps its lines where several are shown', () => {
    expect(shownBeginning('one\ntwo three', 10)).toBe('one\ntwo…')
    expect(shownBeginning('one\ntwo', 10)).toBe('one\ntwo')
  })
})
