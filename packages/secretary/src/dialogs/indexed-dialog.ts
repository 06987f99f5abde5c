import { redact } from '@secretary-mcp/core/redact.ts'
import { type ReadResult, requestsOf } from '@secretary-mcp/transcripts/dialog.ts'
import type { Found, Source } from '@secretary-mcp/transcripts/source.ts'
import { keptDeed } from './deeds/kept-deed.ts'
import type { IndexedDialog } from './dialog-store.ts'

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
