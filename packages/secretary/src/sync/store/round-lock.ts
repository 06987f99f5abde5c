import { BLOCKING_WAIT_MS, isBusy, openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'

/** Held as long as this process lives, however it ends; undefined where another one has it. */
export async function holdLock(path: string): Promise<{ release(): Promise<void> } | undefined> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return {
    async release() {
      db.exec('ROLLBACK')
      db.close()
    },
  }
}
