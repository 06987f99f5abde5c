import { chmodSync, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, parse, resolve } from 'node:path'

const MAX_ENTRIES = 20_000
const OURS =
  /^(secretary\.db|\.token-|token$|config\.json$|trusted-guides|same-projects|index$|docroot$|sync\.(?:db|json)|sync-git$)/

const DRAFT = /^\.(?:token-[0-9a-f]{16}|[0-9a-f]{12}\.tmp)$/
const ABANDONED_MS = 3_600_000

/**
 * SECRETARY_HOME and all that is in it belong to one account, also where the folder was there before us.
 * In a folder that serves other ends as well, only what is ours is touched.
 */
export function keepPrivate(home: string): void {
  if (process.platform === 'win32') return
  const found = lstatOr(home)
  if (!found?.isDirectory()) return
  const isShared = (found.mode & 0o1000) !== 0 || !isMine(found) || isSomebodysHome(home)
  if (!isShared) tighten(home, found)
  const names = namesIn(home).filter((name) => !isShared || OURS.test(name))
  const waiting = names.map((name) => join(home, name))
  for (let seen = 0; waiting.length > 0 && seen < MAX_ENTRIES; seen++) {
    const path = waiting.pop() as string
    const entry = lstatOr(path)
    if (!entry || !isMine(entry)) continue
    if (entry.isDirectory()) waiting.push(...namesIn(path).map((name) => join(path, name)))
    if (isAbandoned(path, entry)) rmSync(path, { force: true })
    else if (entry.isDirectory() || entry.isFile()) tighten(path, entry)
  }
}

/** What a writer that was killed left behind, under the names that our writers give to what is not whole yet. */
function isAbandoned(path: string, entry: Stats): boolean {
  return entry.isFile() && DRAFT.test(basename(path)) && entry.mtimeMs < Date.now() - ABANDONED_MS
}

function isSomebodysHome(folder: string): boolean {
  return resolve(folder) === parse(folder).root || resolve(folder) === resolve(homedir())
}

function isMine({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

function tighten(path: string, { mode }: Stats): void {
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch {
    // A file system without permissions, or an entry that is gone: there is nothing to tighten.
  }
}

function lstatOr(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
