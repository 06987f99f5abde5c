import { redact } from '@secretary-mcp/core/redact.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { pathFrom } from '@secretary-mcp/transcripts/deeds/deed-path.ts'
import type { Dialog, ReadResult } from '@secretary-mcp/transcripts/dialog.ts'
import { wordsOfDialog } from '../words/request-words.ts'
import type { DialogDeeds } from './deed-store.ts'

/** As it may be kept: without secrets. Some sources know the folder only after the deeds. */
export function keptDeed(deed: Deed, project?: string): Deed {
  const { path, text, tail, runs } = deed
  const isInside = project !== undefined && path?.startsWith(project) === true
  if (text === undefined && tail === undefined && !isInside) return deed
  return {
    ...deed,
    ...(isInside ? { path: pathFrom(path, [project]) } : {}),
    ...(text ? { text: redact(text) } : {}),
    ...(tail ? { tail: redact(tail) } : {}),
    ...(runs ? { runs: runs.map((run) => ({ ...run, command: redact(run.command) })) } : {}),
  }
}

/** What one reading adds to the index of deeds. */
export function dialogDeeds({ key, source }: Dialog, read: ReadResult): DialogDeeds {
  const { sessionId, project, lead, isWhole = true } = read
  const deeds = read.deeds?.map((deed) => keptDeed(deed, project))
  return {
    ...{ key, sessionId, source, project, lead, isWhole },
    deeds: deeds ?? [],
    requests: wordsOfDialog(read, isWhole),
  }
}
