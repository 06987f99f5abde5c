const SHORT = 2048

/** A line as it is searched for plain signs: for a short one, a few searches of bytes cost more than making it a text. */
export function searchable(line: Buffer): Buffer | string {
  return line.length <= SHORT ? line.toString('latin1') : line
}
