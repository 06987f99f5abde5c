import type { LedgerParts } from '../ledger/ledger.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'

/** An agent that has written nothing for this long is not at work. */
const SILENCE_MS = 10 * 60_000
const MOST_AGENTS = 6
const LAST_DEEDS = 12

export interface Working {
  readonly sessionId: string
  readonly source: SourceName
  readonly title?: string
  readonly firstRequestPreview?: string
  readonly project?: string
  /** When it last wrote something. */
  readonly at: number
  readonly file?: string
  readonly command?: string
  /** Absent while the command runs. */
  readonly exit?: number
}

/** Dialogs in which something happened in the last minutes, in any project, with the last file and command of each. */
export async function atWork({ dialogs, store }: LedgerParts, now: number): Promise<Working[]> {
  const recent = { asked: true, since: now - SILENCE_MS, limit: MOST_AGENTS, offset: 0 }
  const found = await dialogs.store.list(recent)
  return Promise.all(
    found.dialogs.map(
      async ({ sessionId, source, title, firstRequestPreview, project, lastSeen }) => {
        const deeds = await store.find({ sessionId, limit: LAST_DEEDS })
        const file = deeds.find(({ path }) => path !== undefined)?.path
        const command = deeds.find(({ kind }) => kind === 'command')
        return {
          sessionId,
          source,
          at: lastSeen,
          ...(title ? { title } : {}),
          ...(firstRequestPreview ? { firstRequestPreview } : {}),
          ...(project ? { project } : {}),
          ...(file ? { file } : {}),
          ...(command?.text ? { command: command.text.split('\n')[0] ?? '' } : {}),
          ...(command?.exit === undefined ? {} : { exit: command.exit }),
        }
      },
    ),
  )
}
