import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { type Reading, type ReadResult, requestsOf } from '@secretary-mcp/transcripts/dialog.ts'
import type { BareTurn, Found, ReadContext, Source } from '@secretary-mcp/transcripts/source.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
import { keptDeed, type PackedDeed, packDeed, unpackDeed } from '../deeds/kept-deed.ts'
import type { IndexedDialog } from '../dialog-store.ts'
import type { KeptDialog } from './kept-store.ts'

/** Of one dialog; no person has written that much. */
const MAX_CHARACTERS = 64 << 20
const MAX_DEEDS = 1_000_000

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
  const done = (await deeds?.find({ key: found.key, limit: MAX_DEEDS })) ?? []
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
    if (characters > MAX_CHARACTERS) break
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

/** What the index keeps of a dialog that was read. */
export function indexedDialog(source: Source, found: Found, read: ReadResult): IndexedDialog {
  const { deeds: _deeds, isWhole: _isWhole, waiting, ...rest } = read
  const reading = {
    ...rest,
    // Their texts may hold secrets: they stay in the agent's file.
    marks: rest.marks.map(({ text: _text, ...mark }) => mark),
    ...(waiting ? { waiting: waiting.map((deed) => keptDeed(deed)) } : {}),
  }
  const requests = requestsOf(reading)
  const now = Date.now()
  const written = Math.min(found.mtimeMs, now)
  // The records know best; but a clock that ran ahead must not make a dialog the newest for ever.
  const past = (time?: number) => (time !== undefined && time <= now ? time : undefined)
  return {
    key: found.key,
    sessionId: reading.sessionId,
    source: source.name,
    project: reading.project,
    title: reading.title ? redact(reading.title) : requests[0]?.title,
    firstSeen: past(reading.firstSeen) ?? past(requests[0]?.time) ?? written,
    lastSeen: past(reading.lastSeen) ?? past(requests.at(-1)?.time) ?? written,
    requestsCount: requests.length,
    status: requests.length === 0 ? 'pending' : reading.status,
    firstRequestPreview: requests[0]?.preview || undefined,
    agentId: reading.agentId,
    modelId: reading.modelId,
    chatJsonPath: found.path,
    size: found.size,
    mtimeMs: found.mtimeMs,
    reading,
  }
}
