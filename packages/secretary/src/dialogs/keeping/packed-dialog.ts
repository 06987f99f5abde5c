import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type PackedDeed, packDeed, unpackDeed } from '../deeds/kept-deed.ts'
import type { KeptDialog } from './kept-store.ts'

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
