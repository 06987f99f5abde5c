import { redact } from '@secretary-mcp/core/redact.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { Reading } from '@secretary-mcp/transcripts/dialog.ts'
import type { BareTurn, Found, ReadContext, Source } from '@secretary-mcp/transcripts/source.ts'
import type { DeedStore, StoredDeed } from '../deeds/deed-store.ts'
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
