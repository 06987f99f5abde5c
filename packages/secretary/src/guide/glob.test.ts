import { describe, expect, it } from 'vitest'
import { compileGlob, patternFault, requirePattern } from './glob.ts'

describe('patterns', () => {
  it.each(['python', '**/*.md', 'a/{b,c}', 'v[12]', '*a*b*'])('takes %j', (pattern) => {
    expect(patternFault(pattern)).toBeUndefined()
  })

  it.each([
    '',
    ' ',
    '/etc/*',
    '~/x',
    '../x',
    'a/../b',
    'a\0',
    'a\\b',
    'x'.repeat(201),
    '*a*a*a*b',
    '**/**/**/**/x',
    '{{{{a',
  ])('refuses %j', (pattern) => {
    expect(() => requirePattern(pattern)).toThrow(
      expect.objectContaining({ errorType: 'invalid_pattern' }),
    )
  })

  it('comes to an end with the worst pattern it takes over the longest name', async () => {
    const matches = compileGlob(requirePattern('*a*a*b'))
    expect(matches('a'.repeat(255))).toBe(false)
  })

  it('matches whatever the case, and never a hidden name', async () => {
    expect(compileGlob('Python.md')('python.md')).toBe(true)
    expect(compileGlob('**/*')('.hidden/x.md')).toBe(false)
  })
})
