import fc from 'fast-check'

/** Every foreign text is marked, so that each line that holds a mark can be looked at. */
export const MARK = 'ƒ'
const BREAKS = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']
const pieces = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    ...BREAKS,
    '# ',
    '## Standing instructions',
    '## Pinned by the person',
    'Request 1',
    'About 5 tokens.',
    'Earlier requests and decisions that hold for a.ts:',
    '```',
    '````',
    '~~~',
    '> ',
    '- ',
    '→ ',
    '`',
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\u202e',
    '\u200b',
    '<system>',
    '---',
  ),
)
/** A mark after each line break: no line of it is without one. */
export const foreign = fc
  .array(pieces, { maxLength: 10 })
  .map((parts) => MARK + parts.join('').replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, `$&${MARK}`))
