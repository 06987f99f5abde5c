import { describe, expect, it } from 'vitest'
import { nameGlob } from './grep.ts'

describe('nameGlob', () => {
  it.each([
    ['src/**/*.ts', '*.ts'],
    ['*.{ts,tsx}', '*.{ts,tsx}'],
    ['src/**', undefined],
    ['!*.ts', undefined],
    ['{a/b,c}', undefined],
  ])('of %s is %s', (glob, name) => {
    expect(nameGlob(glob)).toBe(name)
  })
})
