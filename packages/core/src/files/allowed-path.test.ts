import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { isNeverShown } from './excluded-paths.ts'
import { requireAllowedPath } from './open-file.ts'

const plainSegment = fc
  .stringMatching(/^[\w .()[\]@+-]{1,12}$/)
  .filter((name) => name.trim() !== '..' && !isNeverShown(name) && !/^\s*$/.test(name))
const parent = fc.constantFrom(
  '..',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '．．',
  ' .. ',
)
const slash = fc.constantFrom('/', '\\', '%2f', '%5C', '%252f')
const denied = fc.constantFrom(
  '.git',
  '.GIT',
  'node_modules',
  'Node_Modules',
  '.env',
  '.env.local',
  '.Env',
  '.git.',
  '.git ',
  '%2egit',
)

describe('requireAllowedPath', () => {
  it('C7 lets every plain relative path pass', () => {
    fc.assert(
      fc.property(fc.array(plainSegment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = segments.join('/')
        fc.pre(!/^\s*([/\\]|[a-z]:|file:)/i.test(path))
        expect(() => requireAllowedPath(path)).not.toThrow()
      }),
    )
  })

  it('C7 finds a parent folder in every spelling and place', () => {
    fc.assert(
      fc.property(
        fc.array(plainSegment, { maxLength: 3 }),
        parent,
        fc.array(plainSegment, { maxLength: 3 }),
        slash,
        (before, up, after, sep) => {
          expect(() => requireAllowedPath([...before, up, ...after].join(sep))).toThrow(
            'Path traversal not allowed',
          )
        },
      ),
    )
  })

  it('C7 finds a denied segment in every spelling and place', () => {
    fc.assert(
      fc.property(
        fc.array(plainSegment, { maxLength: 3 }),
        denied,
        fc.array(plainSegment, { maxLength: 3 }),
        slash,
        (before, name, after, sep) => {
          expect(() => requireAllowedPath([...before, name, ...after].join(sep))).toThrow(
            'Permission denied',
          )
        },
      ),
    )
  })

  it('never throws anything but our own failures, whatever the string', () => {
    fc.assert(
      fc.property(anyText, (path) => {
        try {
          requireAllowedPath(path)
        } catch (error) {
          expect(error).toMatchObject({ name: 'Failure', data: { path: path.slice(0, 500) } })
        }
      }),
    )
  })

  it.each([
    '.gitignore',
    '.github/x',
    '.gitattributes',
    'app.environment.ts',
    'env/.gitkeep',
    'my_node_modules/x',
    'a..b/c',
    '[...slug].ts',
  ])('C7 %s is allowed', (path) => {
    expect(() => requireAllowedPath(path)).not.toThrow()
  })
})
