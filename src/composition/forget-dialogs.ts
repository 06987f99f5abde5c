import { join } from 'node:path'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/log.ts'
import type { Dialog } from '../dialogs/dialog.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import type { Database } from '../storage/database.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly dialogs: Dialogs
  readonly log: Log
}

/** From every place that holds words of a dialog: what is kept of it, its deeds, what was drawn from it, the search indexes. */
export async function forgetDialogs(
  { config, database, dialogs, log }: Parts,
  unwanted: readonly Dialog[],
): Promise<void> {
  const [{ forgetDrawn }, { forgetNotes }] = await Promise.all([
    import('../storage/stores/forget-drawn.ts'),
    import('../storage/sqlite/search-index/forget-notes.ts'),
  ])
  await dialogs.forget(unwanted)
  const sessions = [...new Set(unwanted.map(({ sessionId }) => sessionId))]
  const discoveries = await forgetDrawn(database, config.user, sessions)
  await forgetNotes(join(config.home, 'index'), { sessions, discoveries }, log)
}
