import { describe, expect, it } from 'vitest'
import { stem } from './english.ts'
import { indexTerms, ownCopy, splitIdentifier, wholeTerm } from './index-terms.ts'

describe('the terms of a text', () => {
  it.each([
    ['createStore', ['create', 'store']],
    ['parseHTTPHeader', ['parse', 'http', 'header']],
    ['uv__async_io', ['uv', 'async', 'io']],
    ['XMLHttpRequest2', ['xml', 'http', 'request', '2']],
    ['größeÄndern', ['größe', 'ändern']],
    ['全文検索', ['全文', '文検', '検索']],
  ])('splits %s at its humps, underscores and digits', (identifier, parts) => {
    expect(splitIdentifier(identifier)).toEqual(parts)
  })

  it.each([
    ['serialization', 'serializer'],
    ['serializing', 'serialize'],
    ['routes', 'route'],
    ['validation', 'validator'],
    ['connected', 'connecting'],
    ['queries', 'query'],
  ])('brings %s and %s to one stem', (a, b) => {
    expect(stem(a)).toBe(stem(b))
  })

  it('keeps words of one or two letters and words with digits as they are', () => {
    expect(['is', 'g', 'utf8', 'größe'].map(stem)).toEqual(['is', 'g', 'utf8', 'größe'])
  })

  it('indexes a compound name by its parts and as a whole', () => {
    expect(indexTerms('createStore(reducer)')).toEqual(['creat', 'store', 'createstore', 'reduc'])
  })

  it('knows a name however it is spelled', () => {
    expect(
      new Set(['createStore', 'create_store', 'CreateStore', 'CREATE_STORE'].map(wholeTerm)),
    ).toEqual(new Set(['createstore']))
  })

  it.each(['short', 'a_rather_long_identifier', 'größenänderungsverfahren', '𝒳𝒴𝒵𝒳𝒴𝒵𝒳𝒴𝒵'])(
    'copies %s as it is',
    (word) => {
      expect(ownCopy(word)).toBe(word)
    },
  )

  it('leaves out words too long to have been typed', () => {
    expect(indexTerms('a'.repeat(200))).toEqual([])
  })
})
