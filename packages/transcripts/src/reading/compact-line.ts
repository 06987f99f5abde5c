const QUOTE = 34
const COLON = 58
const BRACE = 123
const LONGEST_KEY = 200

/**
 * Whether a line is JSON as the agents write it, without blanks around colons. Files that another program wrote again
 * have other spacing, and plain signs such as `"type":"tool_use"` are not in them.
 */
export function isCompact(line: Buffer): boolean {
  if (line[0] !== BRACE || line[1] !== QUOTE) return false
  const end = line.subarray(0, LONGEST_KEY).indexOf(QUOTE, 2)
  const next = line[end + 2]
  return end !== -1 && line[end + 1] === COLON && next !== undefined && next > 32
}

/** Whether a line has one of these words, however it is spaced. */
export function hasAny(line: Buffer | string, words: readonly string[]): boolean {
  return words.some((word) => line.includes(word))
}
