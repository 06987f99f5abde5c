import { join } from 'node:path'
import type { CallLog } from '@secretary-mcp/core/call-log.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import type { RequestSharing } from '../dialogs/sharing/request-sharing.ts'
import type { Database } from '../storage/database.ts'
import { ownFiles } from './own-files.ts'

interface ForgetParts {
  readonly config: Config
  readonly database: Database
  readonly dialogs: Dialogs
  readonly requestSharing: RequestSharing
  readonly callLog: CallLog
  readonly log: Log
}

/** From every place that holds words of a dialog: what is kept of it, its deeds, what was drawn from it, what is shared of it, the log of calls, the search indexes. */
export async function forgetDialogs(
  { config, database, dialogs, requestSharing, callLog, log }: ForgetParts,
  unwanted: readonly Dialog[],
): Promise<void> {
  const [{ forgetDrawn }, { forgetNotes }, { removeSqliteFile }] = await Promise.all([
    import('../context/store/forget-drawn.ts'),
    import('@secretary-mcp/search/index/forget-notes.ts'),
    import('@secretary-mcp/core/sqlite/connection.ts'),
  ])
  const sessions = [...new Set(unwanted.map(({ sessionId }) => sessionId))]
  // First, so that a database that is away leaves everything as it was; and again for what was shared meanwhile.
  await requestSharing.forget(config.user, sessions)
  await dialogs.forget(unwanted)
  removeSqliteFile(ownFiles(config).unowned.deeds)
  await requestSharing.forget(config.user, sessions)
  // Any answer may have quoted one of them.
  await callLog.forgetWords(config.user)
  const discoveries = await forgetDrawn(database, config.user, sessions)
  await forgetNotes(join(config.home, 'index'), { sessions, discoveries }, log)
}
