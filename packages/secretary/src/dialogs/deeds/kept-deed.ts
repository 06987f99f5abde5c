import { redact } from '@secretary-mcp/core/redact.ts'
import { packPrints, unpackPrints } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import type { Deed, LinePrint } from '@secretary-mcp/transcripts/deeds/deed.ts'
import { pathFrom } from '@secretary-mcp/transcripts/deeds/deed-collector.ts'
import type { Dialog, ReadResult } from '@secretary-mcp/transcripts/dialog.ts'
import { wordsOfDialog } from '../words/word-ranking.ts'
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
