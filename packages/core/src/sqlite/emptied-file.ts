import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log.ts'

const CREATED_WITHIN_MS = 1_000
const LOOK_EVERY_MS = 50

/**
 * A file of length zero is what a crash or a full disk leaves of a database. SQLite would take it for a new one, and delete the log
 * beside it, which may hold all that was written: so the log is kept under another name, and its name tells of it later. Work goes
 * on in the new database rather than stopping, since an empty file holds nothing that could still be lost.
 */
export async function keepTraceOfEmptied(path: string, log: Log): Promise<void> {
  if (path === ':memory:' || !(await isLeftEmpty(path))) return
  const trace = `${path}.empty-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size)
    renameSync(`${path}-wal`, `${trace}-wal`)
  else writeFileSync(trace, '', { mode: 0o600 })
  log.warn(
    { path, trace },
    'the database file was empty and was recreated; restore a backup if something is missing',
  )
}

/** What was kept of files that were found empty. */
export function emptiedBefore(path: string): string[] {
  const prefix = `${basename(path)}.empty-`
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix))
  return names.map((name) => join(dirname(path), name))
}

/** Another process may be creating it: then it is empty for a moment only. */
async function isLeftEmpty(path: string): Promise<boolean> {
  const until = performance.now() + CREATED_WITHIN_MS
  while (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    if (performance.now() >= until) return true
    await wait(LOOK_EVERY_MS)
  }
  return false
}
