import type { Deed, LinePrint } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { packPrints, unpackPrints } from '@secretary-mcp/transcripts/deeds/line-print.ts'

/** A deed as JSON has room for it: a line's print takes eight letters. */
export type PackedDeed = Omit<Deed, 'lines'> & {
  readonly lines?: Omit<NonNullable<Deed['lines']>, 'came' | 'gone'> &
    Record<'came' | 'gone', string>
}

export function packDeed({ lines, ...deed }: Deed): PackedDeed {
  if (!lines) return deed
  return { ...deed, lines: { ...lines, came: text(lines.came), gone: text(lines.gone) } }
}

export function unpackDeed({ lines, ...deed }: PackedDeed): Deed {
  if (!lines) return deed
  return { ...deed, lines: { ...lines, came: prints(lines.came), gone: prints(lines.gone) } }
}

function text(lines: readonly LinePrint[]): string {
  return Buffer.from(packPrints(lines)).toString('base64')
}

function prints(packed: string): LinePrint[] {
  return unpackPrints(Buffer.from(packed, 'base64'))
}
