import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Deed, LinePrint } from '../deeds/deed.ts'
import { packPrints, unpackPrints } from '../deeds/line-print.ts'
import type { KeptDialog } from './kept-store.ts'

type PackedDeed = Omit<Deed, 'lines'> & {
  readonly lines?: Omit<NonNullable<Deed['lines']>, 'came' | 'gone'> &
    Record<'came' | 'gone', string>
}

export type PlainDialog = Omit<KeptDialog, 'deeds'> & { readonly deeds: readonly PackedDeed[] }

/** One compressed text for each dialog: it is written seldom, and read only when its file is gone. */
export function packDialog(dialog: KeptDialog): Uint8Array {
  return deflateRawSync(JSON.stringify(plainDialog(dialog)))
}

/** As JSON can hold it. */
export function plainDialog({ deeds, ...rest }: KeptDialog): PlainDialog {
  return { ...rest, deeds: deeds.map(packDeed) }
}

export function dialogOfPlain(plain: PlainDialog): KeptDialog {
  return { ...plain, deeds: plain.deeds.map(unpackDeed) }
}

/** Undefined where the bytes are damaged. */
export function unpackDialog(bytes: Uint8Array): KeptDialog | undefined {
  try {
    return dialogOfPlain(JSON.parse(inflateRawSync(bytes).toString('utf8')) as PlainDialog)
  } catch {
    return undefined
  }
}

function packDeed({ lines, ...deed }: Deed): PackedDeed {
  if (!lines) return deed
  return { ...deed, lines: { ...lines, came: text(lines.came), gone: text(lines.gone) } }
}

function unpackDeed({ lines, ...deed }: PackedDeed): Deed {
  if (!lines) return deed
  return { ...deed, lines: { ...lines, came: prints(lines.came), gone: prints(lines.gone) } }
}

function text(lines: readonly LinePrint[]): string {
  return Buffer.from(packPrints(lines)).toString('base64')
}

function prints(packed: string): LinePrint[] {
  return unpackPrints(Buffer.from(packed, 'base64'))
}
