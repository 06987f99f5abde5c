import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

export type ForeignRow = Readonly<Record<string, unknown>>

/** Another program's SQLite file, opened to read and in no way to disturb: nothing is written and nobody has to wait. */
export interface ForeignDatabase {
  rows(sql: string, ...parameters: (string | number)[]): ForeignRow[]
}

/** Opens, lets work be done, closes. */
export type OpenForeign = <T>(path: string, work: (database: ForeignDatabase) => T) => Promise<T>

const TRIES = 3

/**
 * Reads another program's file without touching it. With a write-ahead log in use, a reader locks nobody out and sees the newest
 * rows; otherwise the file is taken as unchangeable, so that no lock is taken, and a read that a writer disturbed is tried again.
 */
export const openForeign: OpenForeign = async (path, work) => {
  const { DatabaseSync: Driver } = await import('@photostructure/sqlite')
  for (let attempt = 1; ; attempt++) {
    const address = pathToFileURL(path)
    address.search = hasLog(path) ? 'mode=ro' : 'mode=ro&immutable=1'
    const file = new Driver(address.href, { readOnly: true, timeout: 200 })
    try {
      return work({
        rows: (sql, ...parameters) => file.prepare(sql).all(...parameters) as ForeignRow[],
      })
    } catch (error) {
      if (attempt === TRIES || !/malformed|busy|locked|not a database/i.test(String(error)))
        throw error
      await wait(20 * attempt)
    } finally {
      file.close()
    }
  }
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}
