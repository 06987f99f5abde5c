import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  BLOCKING_WAIT_MS,
  closeSqliteFile,
  openSqliteFile,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import { INDEX_VERSION } from './index-schema.ts'

interface Forgotten {
  readonly sessions: readonly string[]
  readonly discoveries: readonly string[]
}

/** Removes what was said in dialogs from the index of every project, also from those that nobody has open. */
export async function forgetNotes(folder: string, forgotten: Forgotten, log: Log): Promise<void> {
  for (const name of filesIn(folder)) {
    const path = join(folder, name)
    try {
      await forgetIn(path, forgotten)
    } catch (error) {
      // It is told of what is gone when it is next used.
      log.warn({ path, error: String(error) }, 'forgotten dialogs may still be in a search index')
    }
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.db'))
  } catch {
    return []
  }
}

async function forgetIn(path: string, { sessions, discoveries }: Forgotten): Promise<void> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0])
    if (version !== INDEX_VERSION) return
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    db.exec('CREATE TEMP TABLE doomed (key INTEGER PRIMARY KEY)')
    const { changes } = db
      .prepare(
        `INSERT INTO doomed SELECT key FROM notes
         WHERE (source = 'session' AND session IN (SELECT value FROM json_each(?)))
         OR (source = 'discovery' AND id IN (SELECT value FROM json_each(?)))`,
      )
      .run(JSON.stringify(sessions), JSON.stringify(discoveries))
    for (const part of [
      "vectors WHERE owner = 'note' AND id",
      'note_terms WHERE rowid',
      'notes WHERE key',
    ])
      db.exec(`DELETE FROM ${part} IN (SELECT key FROM doomed)`)
    db.exec('COMMIT')
    // The words of a deleted note stay in the full-text index until its parts are merged.
    if (Number(changes) > 0) db.exec("INSERT INTO note_terms (note_terms) VALUES ('optimize')")
  } finally {
    closeSqliteFile(db)
  }
}
