import fc from 'fast-check'

/** Any sequence of UTF-16 units, halves of pairs included; fast-check's own `binary` first builds a table of all of Unicode. */
export const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((units) => String.fromCharCode(...units))
