import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf, rangeAt, withEmptyArray } from './json-ranges.ts'

const slice = (json: Buffer, range: { start: number; end: number }) =>
  JSON.parse(json.toString('utf8', range.start, range.end))

describe('byte ranges of JSON', () => {
  it('finds every element of an array under a path, whatever the values hold', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.boolean(), (list, other, pretty) => {
        const json = Buffer.from(
          JSON.stringify({ other, v: { before: other, requests: list } }, null, pretty ? 2 : 0),
        )
        const range = rangeAt(json, ['v', 'requests'])
        expect(range).toBeDefined()
        if (!range) return
        expect(elementsOf(json, range).map((element) => slice(json, element))).toEqual(
          JSON.parse(JSON.stringify(list)),
        )
        expect(JSON.parse(withEmptyArray(json, range).toString())).toEqual(
          JSON.parse(JSON.stringify({ other, v: { before: other, requests: [] } })),
        )
      }),
    )
  })

  it('is not misled by brackets, quotes and backslashes in texts', () => {
    const json = Buffer.from('{"a":"]}\\\\\\"","v":[ "x\\"]" , {"y":"[{"} ]}')
    const range = rangeAt(json, ['v'])
    expect(range && elementsOf(json, range).map((element) => slice(json, element))).toEqual([
      'x"]',
      { y: '[{' },
    ])
  })

  it('finds nothing under a missing key', () => {
    expect(rangeAt(Buffer.from('{"a":{"b":1}}'), ['a', 'c'])).toBeUndefined()
    expect(rangeAt(Buffer.from('[1]'), ['a'])).toBeUndefined()
  })

  it.each(['{"v":[1,2', '{"v":["abc', '{"v":[{"a":1}', '{"v" 1}'])('calls %s broken', (text) => {
    expect(() => {
      const json = Buffer.from(text)
      const range = rangeAt(json, ['v'])
      if (range) elementsOf(json, range)
    }).toThrow(SyntaxError)
  })
})
