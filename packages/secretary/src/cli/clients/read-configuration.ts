import { readRegular } from '@secretary-mcp/core/files/read-regular.ts'

/** Some agents keep their history in the same file. */
const LARGEST = 64 << 20

/** Of an agent. A project may have put anything in its place: what is no ordinary file is not extended. */
export function readConfiguration(file: string): string {
  const text = readRegular(file, LARGEST)
  if (text === undefined) throw new SyntaxError('it is not an ordinary file')
  return text
}
