import { jsonSchemaOf } from '@secretary-mcp/core/json-schema.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { strictSchemaOf } from './strict-schema.ts'

const strictOf = (shape: z.ZodRawShape) => strictSchemaOf(jsonSchemaOf(z.strictObject(shape)))

describe('a schema in the form of strict mode', () => {
  it('requires everything, lets what was optional be null, and allows nothing besides', () => {
    const strict = strictOf({
      title: z.string().min(1).max(200).describe('Words'),
      done: z.boolean().default(false),
      kind: z.enum(['a', 'b']).optional(),
      tags: z.array(z.string().max(10)).optional(),
      limit: z.int().min(1).max(100),
    })
    expect(strict?.schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Words' },
        done: { type: ['boolean', 'null'] },
        kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
        tags: { type: ['array', 'null'], items: { type: 'string' } },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      required: ['title', 'done', 'kind', 'tags', 'limit'],
      additionalProperties: false,
    })
  })

  it('gives the tool its arguments without the nulls that stood for nothing, also deep inside', () => {
    const strict = strictOf({
      title: z.string(),
      done: z.boolean().optional(),
      places: z.array(z.strictObject({ path: z.string(), line: z.int().optional() })).optional(),
    })
    expect(strict?.restore({ title: 'x', done: null, places: null })).toEqual({ title: 'x' })
    expect(
      strict?.restore({ title: 'x', done: true, places: [{ path: 'a', line: null }] }),
    ).toEqual({
      title: 'x',
      done: true,
      places: [{ path: 'a' }],
    })
    expect(strict?.restore({ title: null, unknown: null })).toEqual({ title: null, unknown: null })
    expect(strict?.restore('no object')).toBe('no object')
  })

  it('takes alternatives of simple values and a null that must be said', () => {
    const strict = strictOf({
      id: z.union([z.string(), z.int()]).optional(),
      value: z.string().nullable(),
    })
    expect(strict?.schema.properties).toEqual({
      id: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      value: { type: ['string', 'null'] },
    })
    expect(strict?.restore({ id: null, value: null })).toEqual({ value: null })
  })

  it.each([
    ['a map', { flags: z.record(z.string(), z.string()) }],
    ['anything', { value: z.unknown() }],
    ['an optional null', { value: z.string().nullable().optional() }],
    [
      'objects among alternatives',
      { value: z.union([z.strictObject({ a: z.string().optional() }), z.string()]) },
    ],
    ['an open object', { value: z.looseObject({ a: z.string() }) }],
  ])('is not made of %s', (_what, shape) => {
    expect(strictOf(shape)).toBeUndefined()
  })

  it('is not made of words that strict mode does not know', () => {
    expect(
      strictSchemaOf({
        type: 'object',
        properties: { a: { type: 'string', not: { enum: ['x'] } } },
      }),
    ).toBeUndefined()
    expect(strictSchemaOf({ anyOf: [{ type: 'object' }] })).toBeUndefined()
  })
})
