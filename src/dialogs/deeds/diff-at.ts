import { linesOf } from '../reading/lines.ts'
import { parsedOr } from '../reading/loose-json.ts'
import { withTexts } from './changed-lines.ts'
import type { Deed } from './deed.ts'
import type { DeedFormat } from './deed-format.ts'

const quiet = { signal: new AbortController().signal, warn: () => {} }
const LONGEST_RECORD = 8 << 20

/** The lines that came and went with a deed, read again from its record in the transcript. */
export async function diffAt(
  format: DeedFormat,
  path: string,
  { at, place }: Pick<Deed, 'at' | 'place'>,
): Promise<string | undefined> {
  if (at < 0) return undefined
  for await (const [line] of linesOf(path, at, quiet, LONGEST_RECORD)) {
    const record = line && parsedOr(line.bytes)
    if (record === undefined) return undefined
    const event = withTexts(() => format.read(record))[place]
    const texts = event && 'begun' in event ? event.begun.lines?.texts : undefined
    if (!texts) return undefined
    const { gone, came } = texts
    return [...gone.map((one) => `-${one}`), ...came.map((one) => `+${one}`)].join('\n')
  }
  return undefined
}
