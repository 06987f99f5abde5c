import { open } from 'node:fs/promises'
import { elementsOf, type Range, rangeAt, withEmptyArray } from './json-ranges.ts'
import { type JsonObject, objectOf, parsed } from './loose-json.ts'

export const MAX_DOCUMENT_SIZE = 128 << 20

export interface Element {
  readonly value: JsonObject
  readonly at: number
  readonly size: number
}

/** Reads a file that is one JSON document. Larger ones would not fit in memory and are refused. */
export async function documentBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > MAX_DOCUMENT_SIZE) throw new RangeError(`larger than ${MAX_DOCUMENT_SIZE >> 20} MB`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** A document's other fields, and the elements of its one large array parsed one at a time. */
export function splitDocument(
  json: Buffer,
  keys: readonly string[],
): { rest: JsonObject; elements: () => Generator<Element> } {
  const range = rangeAt(json, keys)
  const rest = keys.length === 0 ? {} : objectOf(parsed(range ? withEmptyArray(json, range) : json))
  const ranges = range ? elementsOf(json, range) : []
  return { rest, elements: () => parsedElements(json, ranges) }
}

function* parsedElements(json: Buffer, ranges: readonly Range[]): Generator<Element> {
  for (const { start, end } of ranges) {
    yield { value: objectOf(parsed(json.subarray(start, end))), at: start, size: end - start }
  }
}
