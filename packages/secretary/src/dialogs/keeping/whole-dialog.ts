import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { Reading } from '@secretary-mcp/transcripts/dialog.ts'
import type { BareTurn, Found, ReadContext, Source } from '@secretary-mcp/transcripts/source.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import { type PackedDeed, packDeed, unpackDeed } from '../deeds/kept-deed.ts'
import { indexedDialog } from '../indexed-dialog.ts'
import type { KeptDialog } from './kept-store.ts'

/** Of one dialog; no person has written that much. */
const MOST_CHARACTERS = 64 << 20
const MOST_DEEDS = 1_000_000

export interface Listed {
  readonly source: Source
  readonly found: Found
}

/** Everything that is known of a dialog whose file is there, without secrets. */
export async function wholeDialog(
  { source, found }: Listed,
  reading: Reading,
  deeds: DeedStore | undefined,
  context: ReadContext,
): Promise<KeptDialog> {
  const dialog = indexedDialog(source, found, reading)
  const turns = await wordsOf({ source, found }, reading, context)
  const done = (await deeds?.find({ key: found.key, limit: MOST_DEEDS })) ?? []
  const { lead } = reading
  return { dialog, ...(lead ? { lead } : {}), turns, deeds: done.reverse().map(bare) }
}

async function wordsOf(
  { source, found }: Listed,
  reading: Reading,
  context: ReadContext,
): Promise<BareTurn[]> {
  const turns: BareTurn[] = []
  let characters = 0
  const whole = { longestAnswer: Number.POSITIVE_INFINITY }
  for await (const turn of source.turns(found, reading, context, whole)) {
    const { request, answer } = turn
    characters += request.length + (answer?.length ?? 0)
    if (characters > MOST_CHARACTERS) break
    turns.push({
      ...turn,
      request: redact(request),
      ...(answer ? { answer: redact(answer) } : {}),
    })
  }
  return turns
}

function bare(stored: StoredDeed): Deed {
  const { id: _id, key: _key, sessionId: _session, source: _source, ...deed } = stored
  const { project: _project, isHelper: _isHelper, ...rest } = deed
  return rest
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
