import { describe, expect, it } from 'vitest'
import { pathFailure, translateFileError } from './path-failure.ts'

const systemError = (code: string) => Object.assign(new Error(`${code}: secret detail`), { code })

describe('translateFileError', () => {
  it.each([
    ['ENOENT', 'File not found'],
    ['ENOTDIR', 'File not found'],
    ['ELOOP', 'File not found'],
    ['EACCES', 'Permission denied'],
    ['EPERM', 'Permission denied'],
  ])('C6 turns %s into our words, with the path and nothing of the system', (code, error) => {
    expect(translateFileError(systemError(code), 'a.ts')).toMatchObject({
      message: error,
      data: { path: 'a.ts' },
    })
  })

  it('leaves the unforeseen and our own failures as they are', () => {
    const unforeseen = systemError('EIO')
    expect(translateFileError(unforeseen, 'a.ts')).toBe(unforeseen)
    const ours = pathFailure('File too large', 'a.ts')
    expect(translateFileError(ours, 'a.ts')).toBe(ours)
  })
})
