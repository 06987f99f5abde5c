import { diffAt } from '../deeds/diff-at.ts'
import { fileAt } from '../reading/files.ts'
import { gatherTurns } from '../reading/gather-turns.ts'
import type { Found, ReadContext, Source } from '../source.ts'
import type { SourceName } from '../source-names.ts'
import { type LineFormat, readTranscript, requestAt, saidInTranscript } from '../transcript.ts'

interface LineSource {
  readonly name: SourceName
  readonly roots: readonly string[]
  cleanupDays?(): Promise<number | undefined>
  fits(client: string): boolean
  list(context: ReadContext): Promise<Found[]>
  readonly format: LineFormat
}

/** A source whose dialogs are files that only grow, one JSON object a line. */
export function lineSource({ format, ...about }: LineSource): Source {
  return {
    ...about,
    stat: (_key, path) => fileAt(path),
    read: (found, known, context) => readTranscript(format, found, known, context),
    text: (path, mark) => requestAt(format, path, mark),
    diffAt: async (path, deed) => format.deeds && diffAt(format.deeds, path, deed),
    turns: (found, reading, context, wanted) =>
      gatherTurns(saidInTranscript(format, found, reading, context, wanted), wanted),
  }
}
