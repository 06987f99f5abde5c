import type { ReadResult } from '../dialog.ts'
import { linesOf } from '../reading/lines.ts'
import { parsedOr } from '../reading/loose-json.ts'
import { keepingTexts, textsOf } from './changed-lines.ts'
import type { ChangedLines, Deed, DeedFormat } from './deed.ts'

const quiet = { signal: new AbortController().signal, warn: () => {} }
const MAX_RECORD = 8 << 20

/** Where a change stands, and how much it changed. */
export type PlacedChange = Pick<Deed, 'at' | 'place'> & {
  readonly lines?: Pick<ChangedLines, 'plus' | 'minus'>
}

/** The lines that came and went with a deed, read again from its record in the transcript. */
export async function diffAt(
  format: DeedFormat,
  path: string,
  { at, place }: Pick<Deed, 'at' | 'place'>,
): Promise<string | undefined> {
  if (at < 0) return undefined
  for await (const [line] of linesOf(path, at, quiet, MAX_RECORD)) {
    const record = line && parsedOr(line.bytes)
    if (record === undefined) return undefined
    const event = (await keepingTexts(() => format.read(record)))[place]
    return event && 'begun' in event ? diffOf(event.begun.lines) : undefined
  }
  return undefined
}

/** The same for a dialog that is only read as a whole: finds each change in it. */
export async function diffsInWhole(
  read: () => Promise<Pick<ReadResult, 'deeds'>>,
): Promise<(deed: PlacedChange) => string | undefined> {
  const { deeds = [] } = await keepingTexts(read)
  return ({ at, place, lines }) => {
    const found = deeds.find((deed) => deed.at === at && deed.place === place)?.lines
    // The dialog may have been rewritten since, with another change in this place.
    const isSame = found?.plus === lines?.plus && found?.minus === lines?.minus
    return isSame ? diffOf(found) : undefined
  }
}

function diffOf(lines: ChangedLines | undefined): string | undefined {
  const texts = lines && textsOf(lines)
  return (
    texts &&
    [...texts.gone.map((one) => `-${one}`), ...texts.came.map((one) => `+${one}`)].join('\n')
  )
}
