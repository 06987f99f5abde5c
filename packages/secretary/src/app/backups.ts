import type { Backup } from '../storage/backup/write-backup.ts'
import type { Database } from '../storage/database.ts'
import { version } from '../version.ts'

export interface Backups {
  /** Everything in the database, in one file. */
  write(path: string): Promise<Backup>
  /** How many rows came back. */
  restore(path: string): Promise<number>
}

/** Loaded when it is asked for: a server never is. */
export function createBackups(database: Database): Backups {
  return {
    write: async (path) =>
      (await import('../storage/backup/write-backup.ts')).writeBackup(database, path, version),
    restore: async (path) =>
      (await import('../storage/backup/restore-backup.ts')).restoreBackup(database, path),
  }
}
