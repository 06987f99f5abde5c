import { expect, it } from 'vitest'
import { argumentsOf, kindOf, textOf } from './form-values.ts'
import type { Schema } from './tool-types.ts'

const schema: Schema = {
  properties: {
    title: { type: 'string' },
    done: { type: 'boolean' },
    limit: { type: 'integer' },
    type: { enum: ['all', 'rule'] },
    files: { type: 'array' },
    value: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
  },
}

it('makes of a form what an agent would send', () => {
  const values = {
    title: 'true',
    done: 'false',
    limit: '3',
    type: 'rule',
    files: '["a"]',
    value: '',
  }
  expect(argumentsOf(schema, values)).toEqual({
    args: { title: 'true', done: false, limit: 3, type: 'rule', files: ['a'] },
  })
})

it('sends what is no number as it is, so that the tool says what is wrong', () => {
  expect(argumentsOf(schema, { limit: 'many' }).args).toEqual({ limit: 'many' })
})

it('asks for JSON where only JSON can be meant, and takes words where they may stand', () => {
  expect(argumentsOf(schema, { files: 'a, b' }).problem).toContain('files')
  expect(argumentsOf(schema, { value: 'plain' }).args).toEqual({ value: 'plain' })
  expect(argumentsOf(schema, { value: 'true' }).args).toEqual({ value: true })
})

it('writes values so that they can be read back', () => {
  expect([textOf('a'), textOf(['a']), textOf(3)]).toEqual(['a', '["a"]', '3'])
  expect(kindOf({ const: 'YES' })).toBe('choice')
})
