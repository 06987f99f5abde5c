import { describe, expect, it } from 'vitest'
import { asBoolean, flagValue, meets } from './flag-value.ts'

describe('flag values', () => {
  it.each([
    [true, true],
    ['on', true],
    ['yes', true],
    ['Enabled', true],
    ['anything', true],
    [['a'], true],
    [false, false],
    ['off', false],
    ['no', false],
    ['', false],
    [[], false],
    [{}, false],
    [undefined, false],
  ])('%j counts as %j', (value, expected) => {
    expect(asBoolean(value)).toBe(expected)
  })

  it.each([
    [true, 'on', true],
    [true, undefined, false],
    [false, undefined, true],
    [false, 'off', true],
    ['web', 'web', true],
    ['web', ['api', 'web'], true],
    ['web', { web: 'x' }, true],
    ['web', 'api', false],
    [['a', 'b'], 'b', true],
    [['a', 'b'], 'c', false],
    ['true', true, true],
    [{ team: 'web' }, { team: ['web', 'api'] }, true],
    [{ team: 'web' }, { team: 'api' }, false],
    ['constructor', {}, false],
  ])('the requirement %j against %j is %j', (required, value, expected) => {
    expect(meets(required, value)).toBe(expected)
  })

  it('refuses what is too large', () => {
    expect(flagValue.safeParse('x'.repeat(4_001)).success).toBe(false)
    expect(flagValue.safeParse(Array.from({ length: 101 }, () => 'x')).success).toBe(false)
    expect(flagValue.safeParse('a\0b').success).toBe(false)
  })
})
