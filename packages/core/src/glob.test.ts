import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globMatcher, nameMatcher } from './glob.ts'

describe('globMatcher', () => {
  it.each([
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/a.ts', true],
    ['**/*.ts', 'src/a.tsx', false],
    ['*.ts', 'src/deep/a.ts', true],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'lib/src/a.ts', false],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['./src/*.ts', 'src/a.ts', true],
    ['/src/*.ts', 'src/a.ts', true],
    ['src/', 'src/deep/a.ts', true],
    ['*.{ts,tsx}', 'src/a.tsx', true],
    ['{src,test}/**', 'test/a/b', true],
    ['{src,test}/**', 'docs/a', false],
    ['file?.[jt]s', 'file1.js', true],
    ['file[!0-9].js', 'file1.js', false],
    ['!**/*.test.ts', 'a.test.ts', false],
    ['!**/*.test.ts', 'a.ts', true],
    ['a+b(1).ts', 'a+b(1).ts', true],
    ['{unclosed', '{unclosed', true],
    ['[unclosed', '[unclosed', true],
    ['\\*.ts', '*.ts', true],
  ])('%s on %s is %s', (glob, path, expected) => {
    expect(globMatcher(glob)(path)).toBe(expected)
  })

  it.each([
    ['Python.md', 'python.md', true],
    ['python.md', 'lang/python.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*', '.hidden/x.md', false],
    ['**/*', 'a/.hidden', false],
    ['.hidden/*', '.hidden/x.md', true],
    ['a/**', 'a/b/c.md', true],
    ['a/{B,c}', 'a/b', true],
    ['V[12]', 'v2', true],
  ])('%s on %s, anchored, whatever the case and without dots, is %s', (glob, path, expected) => {
    const options = { ignoreCase: true, hideDots: true, anchored: true }
    expect(globMatcher(glob, options)(path)).toBe(expected)
  })

  it.each([
    '(a+)+b',
    `${'(a*)*'.repeat(60)}b`,
    '**/*a'.repeat(90),
    `${'*a'.repeat(240)}b`,
    '{a,b}'.repeat(90),
    `${'{'.repeat(250)}${'}'.repeat(250)}`,
  ])('comes to an end on a hostile glob', (glob) => {
    expect(globMatcher(glob)(`${'a/'.repeat(60)}${'a'.repeat(200)}`)).toBeTypeOf('boolean')
  })

  it('agrees with a plain regular expression on names', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ab*?]{0,8}$/),
        fc.stringMatching(/^[ab]{1,8}$/),
        (glob, name) => {
          const expected = new RegExp(
            `^${glob.replaceAll('*', '[ab]*').replaceAll('?', '[ab]')}$`,
          ).test(name)
          expect(nameMatcher(glob)(name)).toBe(expected)
        },
      ),
    )
  })
})
