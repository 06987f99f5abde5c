import { existsSync } from 'node:fs'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Repository } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import {
  BLOCKING_WAIT_MS,
  closeSqliteFile,
  isBusy,
  openSqliteFile,
  removeSqliteFile,
  rowsOf,
  whileBusy,
} from '@secretary-mcp/core/sqlite/connection.ts'
import { packPrints, unpackPrints } from '@secretary-mcp/transcripts/deeds/changed-lines.ts'
import { COMMAND_KINDS, DEED_KINDS, type Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import * as z from 'zod'
import { storedJson } from '../../../storage/database.ts'
import type { RequestWords } from '../../words/word-ranking.ts'
import type { DeedFilter, DeedStore, DialogDeeds, RepeatedRuns, StoredDeed } from '../deed-store.ts'

const DEED_COLUMNS = `e.id, d.key, d.session, d.source, d.project, d.lead, e.at, e.place, e.time, e.kind, p.path,
  e.plus, e.minus, e.came, e.gone, e.words, e.text, e.command, e.exit, e.tail, e.call, e.since, e.facts`

/** Raised with every change of the tables or of how deeds are read: an index of another version is read again. */
const DEED_VERSION = 8
const DEED_SCHEMA = `
CREATE TABLE dialogs (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, session TEXT NOT NULL, source TEXT NOT NULL, project TEXT, lead TEXT,
  repository TEXT, has_words INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX dialogs_by_session ON dialogs (session);
CREATE INDEX dialogs_by_lead ON dialogs (lead) WHERE lead IS NOT NULL;
CREATE INDEX dialogs_by_project ON dialogs (project);
CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE deeds (
  id INTEGER PRIMARY KEY, dialog INTEGER NOT NULL, at INTEGER NOT NULL, place INTEGER NOT NULL, time INTEGER NOT NULL,
  kind INTEGER NOT NULL, path INTEGER, plus INTEGER, minus INTEGER, came BLOB, gone BLOB, words TEXT,
  text TEXT, command INTEGER, exit INTEGER, tail TEXT, call TEXT, since INTEGER,
  facts TEXT
);
CREATE UNIQUE INDEX deeds_by_place ON deeds (dialog, at, place);
CREATE INDEX deeds_by_path ON deeds (path) WHERE came IS NOT NULL;
CREATE INDEX deeds_by_command ON deeds (command, time) WHERE command IS NOT NULL;
CREATE TABLE requests (
  dialog INTEGER NOT NULL, mark TEXT NOT NULL, words TEXT NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (dialog, mark)
) WITHOUT ROWID;
CREATE TABLE lines (print INTEGER NOT NULL, deed INTEGER NOT NULL, PRIMARY KEY (print, deed)) WITHOUT ROWID;
`
const NO_ROOM = /ENOSPC|EDQUOT|disk is full|disk I\/O error/

const FROM = 'FROM deeds e JOIN dialogs d ON d.id = e.dialog LEFT JOIN paths p ON p.id = e.path'
const MAX_OF_A_LINE = 4000
const HAS_FAILED_RUN = `e.facts LIKE '%"outcome":"failed"%'`
const repositorySchema: z.ZodType<Repository> = z.object({
  root: z.string(),
  common: z.string(),
  origin: z.string().optional(),
})

/** Opened when first used: a start does not wait for it. */
export function sqliteDeedStore(path: string, log: Log, unowned?: string): DeedStore {
  let opening: Promise<DatabaseSyncInstance> | undefined
  const use = () => {
    opening ??= openDeeds(path, log, unowned)
    return opening
  }
  return {
    async known() {
      const rows = rowsOf<{ key: string }>((await use()).prepare('SELECT key FROM dialogs'))
      return new Set(rows.map(({ key }) => key))
    },
    async places() {
      const rows = rowsOf<{ project: string; repository: string | null }>(
        (await use()).prepare(
          'SELECT DISTINCT project, repository FROM dialogs WHERE project IS NOT NULL',
        ),
      )
      return rows.map(({ project, repository }) => ({
        project,
        repository: repository === null ? undefined : storedJson(repository, repositorySchema),
      }))
    },
    async save(dialogs) {
      const db = await use()
      await whileBusy(() => deedWriter(db).save(dialogs))
    },
    async find(filter) {
      const { where, values } = conditions(filter)
      const sql = `SELECT ${DEED_COLUMNS} ${FROM} ${where} ORDER BY e.time DESC, e.at DESC, e.place DESC LIMIT ? + 0`
      const statement = (await use()).prepare(sql)
      return rowsOf<DeedRow>(statement, ...values, filter.limit).map(deedOf)
    },
    async findRuns(projects) {
      const { where, values } = conditions({ projects })
      // Only of a task that failed, what it printed says more than its outcome. Beside MAX, SQLite takes the columns of that row.
      const sql = `SELECT e.facts, CASE WHEN ${HAS_FAILED_RUN} AND e.facts LIKE '%"tasks"%' THEN e.tail END AS tail,
        COUNT(*) AS count, MAX(e.time) AS time, COALESCE(d.lead, d.session) AS session
        ${FROM} ${where} AND e.command IS NOT NULL AND e.facts IS NOT NULL GROUP BY 1, 2`
      return rowsOf<RunsRow>((await use()).prepare(sql), ...values).map(repeatedRuns)
    },
    async findByLines(prints, projects) {
      const { where, values } = conditions({ projects, limit: 0 })
      const db = await use()
      const sql = `SELECT ${DEED_COLUMNS} ${FROM} ${where}
        AND e.id IN (SELECT deed FROM lines WHERE print IN (SELECT value FROM json_each(?))) ORDER BY e.time DESC LIMIT ? + 0`
      return rowsOf<DeedRow>(db.prepare(sql), ...values, JSON.stringify(prints), MAX_OF_A_LINE).map(
        deedOf,
      )
    },
    async findWords(keys) {
      const rows = rowsOf<WordsRow>(
        (await use()).prepare(
          `SELECT d.key, r.mark, r.words, r.length FROM dialogs d LEFT JOIN requests r ON r.dialog = d.id
           WHERE d.has_words AND d.key IN (SELECT value FROM json_each(?))`,
        ),
        JSON.stringify(keys),
      )
      const found = new Map<string, RequestWords[]>()
      for (const row of rows) {
        const known = found.get(row.key) ?? []
        if (row.mark !== null) known.push(row)
        found.set(row.key, known)
      }
      return found
    },
    async keysOf(sessionId) {
      const named = (await use()).prepare('SELECT key FROM dialogs WHERE session = ? OR lead = ?')
      return rowsOf<{ key: string }>(named, sessionId, sessionId).map(({ key }) => key)
    },
    async forget(keys) {
      const db = await use()
      await whileBusy(() => deedWriter(db).forget(keys))
    },
    async version() {
      const row = (await use()).prepare('PRAGMA data_version').get()
      return Number(Object.values(row ?? {})[0])
    },
    async close() {
      const open = await opening?.catch(() => undefined)
      opening = undefined
      if (open) closeSqliteFile(open)
    },
  }
}

function conditions(filter: Partial<DeedFilter>): { where: string; values: DeedValue[] } {
  const { projects, sessionId, key, kinds, commandKinds, isFailed, paths } = filter
  const parts: string[] = ['1']
  const values: DeedValue[] = []
  const add = (part: string, ...more: DeedValue[]) => {
    parts.push(part)
    values.push(...more)
  }
  if (projects) {
    const below = projects.map(() => '(project >= ? AND project < ?)')
    const within = ['project IN (SELECT value FROM json_each(?))', ...below].join(' OR ')
    add(
      `e.dialog IN (SELECT id FROM dialogs WHERE ${within})`,
      JSON.stringify(projects),
      ...projects.flatMap((project) => [`${project}/`, `${project}0`]),
    )
  }
  if (sessionId !== undefined)
    add('e.dialog IN (SELECT id FROM dialogs WHERE session = ? OR lead = ?)', sessionId, sessionId)
  if (key !== undefined) add('e.dialog IN (SELECT id FROM dialogs WHERE key = ?)', key)
  if (kinds) add(`e.kind IN (${kinds.map((kind) => DEED_KINDS.indexOf(kind)).join(',')})`)
  if (commandKinds)
    add(`e.command IN (${commandKinds.map((kind) => COMMAND_KINDS.indexOf(kind)).join(',')})`)
  if (isFailed) add(`e.command IS NOT NULL AND (e.exit <> 0 OR ${HAS_FAILED_RUN})`)
  if (paths)
    add(
      'e.path IN (SELECT id FROM paths WHERE path IN (SELECT value FROM json_each(?)))',
      JSON.stringify(paths),
    )
  return { where: `WHERE ${parts.join(' AND ')}`, values }
}

/**
 * Most of it can be read again from the agents' files, and the rest from what is kept: a file that is damaged or of another version
 * is replaced, and so is one of an earlier version that was all users'.
 */
async function openDeeds(path: string, log: Log, unowned?: string): Promise<DatabaseSyncInstance> {
  try {
    if (unowned && !existsSync(path)) removeSqliteFile(unowned)
  } catch (error) {
    log.warn({ path: unowned, error: String(error) }, 'the old index of deeds cannot be removed')
  }
  try {
    return await openAt(path)
  } catch (error) {
    // A file that another process has locked for so long is in use, and one on a full disk may be sound.
    if (isBusy(error) || NO_ROOM.test(String(error))) return inMemory(path, log, error)
    log.warn({ path, error: String(error) }, 'the index of deeds cannot be used and is rebuilt')
  }
  try {
    removeSqliteFile(path)
    return await openAt(path)
  } catch (error) {
    return inMemory(path, log, error)
  }
}

function inMemory(path: string, log: Log, error: unknown): Promise<DatabaseSyncInstance> {
  log.warn({ path, error: String(error) }, 'the index of deeds is kept in memory for this run')
  return openAt(':memory:')
}

async function openAt(path: string): Promise<DatabaseSyncInstance> {
  const db = await openSqliteFile(path, BLOCKING_WAIT_MS)
  try {
    db.exec('PRAGMA cache_size = -16000')
    await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
    const version = Number(Object.values(db.prepare('PRAGMA user_version').get() ?? {})[0])
    if (version === 0) db.exec(`${DEED_SCHEMA}; PRAGMA user_version = ${DEED_VERSION}`)
    db.exec('COMMIT')
    if (version !== 0 && version !== DEED_VERSION)
      throw new Error(`version ${version}, wanted ${DEED_VERSION}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

interface DeedWriter {
  save(dialogs: readonly DialogDeeds[]): void
  forget(keys: readonly string[]): void
}

const writers = new WeakMap<DatabaseSyncInstance, DeedWriter>()

function deedWriter(db: DatabaseSyncInstance): DeedWriter {
  const known = writers.get(db)
  if (known) return known
  const writer = createWriter(db)
  writers.set(db, writer)
  return writer
}

function createWriter(db: DatabaseSyncInstance): DeedWriter {
  const dialog =
    db.prepare(`INSERT INTO dialogs (key, session, source, project, lead, repository) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET session = excluded.session, project = excluded.project, lead = excluded.lead,
    repository = coalesce(excluded.repository, repository) RETURNING id`)
  const addPath = db.prepare('INSERT OR IGNORE INTO paths (path) VALUES (?)')
  const findPath = db.prepare('SELECT id FROM paths WHERE path = ?')
  const deed = db.prepare(`INSERT OR IGNORE INTO deeds
    (dialog, at, place, time, kind, path, plus, minus, came, gone, words, text, command, exit, tail, call, since, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const line = db.prepare('INSERT OR IGNORE INTO lines (print, deed) VALUES (?, ?)')
  const dropLines = db.prepare(
    'DELETE FROM lines WHERE deed IN (SELECT id FROM deeds WHERE dialog = ?)',
  )
  const request = db.prepare(
    'INSERT OR REPLACE INTO requests (dialog, mark, words, length) VALUES (?, ?, ?, ?)',
  )
  const keepRequests = db.prepare(
    'DELETE FROM requests WHERE dialog = ? AND mark NOT IN (SELECT value FROM json_each(?))',
  )
  const dropRequests = db.prepare('DELETE FROM requests WHERE dialog = ?')
  const setWords = db.prepare('UPDATE dialogs SET has_words = ? WHERE id = ?')
  const dropDeeds = db.prepare('DELETE FROM deeds WHERE dialog = ?')
  const dropDialog = db.prepare('DELETE FROM dialogs WHERE id = ?')
  const dialogOf = db.prepare('SELECT id FROM dialogs WHERE key = ?')
  const hasDeeds = db.prepare('SELECT 1 FROM deeds WHERE dialog = ? LIMIT 1')

  function pathNumber(path: string, seen: Map<string, number>): number | null {
    let number = seen.get(path) ?? idIn(findPath, path)
    if (number === undefined) {
      addPath.run(path)
      number = idIn(findPath, path)
    }
    if (number !== undefined) seen.set(path, number)
    return number ?? null
  }

  function drop(id: number): void {
    dropRequests.run(id)
    if (!hasDeeds.get(id)) return
    dropLines.run(id)
    dropDeeds.run(id)
  }

  return {
    save: (dialogs) =>
      inTransaction(db, () => {
        const paths = new Map<string, number>()
        for (const {
          key,
          sessionId,
          source,
          project,
          lead,
          repository,
          deeds,
          requests,
          isWhole,
        } of dialogs) {
          const known = repository ? JSON.stringify(repository) : null
          const id = idIn(dialog, key, sessionId, source, project ?? null, lead ?? null, known)
          if (id === undefined) continue
          if (isWhole) {
            drop(id)
            setWords.run(requests ? 1 : 0, id)
          }
          if (requests) {
            if (!isWhole) keepRequests.run(id, JSON.stringify(requests.marks))
            for (const { mark, words, length } of requests.words)
              request.run(id, mark, words, length)
          }
          for (const one of deeds) {
            const path = one.path === undefined ? null : pathNumber(one.path, paths)
            const { changes, lastInsertRowid } = deed.run(id, ...deedValues(one, path))
            if (changes === 0) continue
            for (const { print } of one.lines?.came ?? []) line.run(print, lastInsertRowid)
          }
        }
      }),
    forget: (keys) =>
      inTransaction(db, () => {
        for (const key of keys) {
          const id = idIn(dialogOf, key)
          if (id === undefined) continue
          drop(id)
          dropDialog.run(id)
        }
      }),
  }
}

function idIn(statement: StatementSyncInstance, ...values: DeedValue[]): number | undefined {
  const row: unknown = statement.get(...values)
  return (row as { id: number } | undefined)?.id
}

function inTransaction(db: DatabaseSyncInstance, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    // On a full disk SQLite has rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

interface DeedRow {
  readonly id: number
  readonly key: string
  readonly session: string
  readonly source: string
  readonly project: string | null
  readonly lead: string | null
  readonly at: number
  readonly place: number
  readonly time: number
  readonly kind: number
  readonly path: string | null
  readonly plus: number | null
  readonly minus: number | null
  readonly came: Uint8Array | null
  readonly gone: Uint8Array | null
  readonly words: string | null
  readonly text: string | null
  readonly command: number | null
  readonly exit: number | null
  readonly tail: string | null
  readonly call: string | null
  readonly since: number | null
  /** Runs and git's acts, as JSON. */
  readonly facts: string | null
}

type DeedValue = string | number | null | Uint8Array

/** In the order of the table's columns, from `at` on; the path by its number. */
function deedValues(deed: Deed, path: number | null): DeedValue[] {
  const { lines, commandKind } = deed
  return [
    deed.at,
    deed.place,
    deed.time,
    DEED_KINDS.indexOf(deed.kind),
    path,
    lines?.plus ?? null,
    lines?.minus ?? null,
    lines ? packPrints(lines.came) : null,
    lines?.gone.length ? packPrints(lines.gone) : null,
    lines?.words?.length ? lines.words.join(' ') : null,
    deed.text ?? null,
    commandKind === undefined ? null : COMMAND_KINDS.indexOf(commandKind),
    deed.exit ?? null,
    deed.tail ?? null,
    deed.call ?? null,
    deed.since ?? null,
    factsText(deed),
  ]
}

function deedOf(row: DeedRow): StoredDeed {
  const command = row.command === null ? undefined : COMMAND_KINDS[row.command]
  return {
    id: row.id,
    key: row.key,
    sessionId: row.lead ?? row.session,
    source: row.source as SourceName,
    isHelper: row.lead !== null,
    kind: DEED_KINDS[row.kind] ?? 'command',
    at: row.at,
    place: row.place,
    time: row.time,
    ...(row.project === null ? {} : { project: row.project }),
    ...(row.path === null ? {} : { path: row.path }),
    ...(row.came === null ? {} : { lines: linesOf(row) }),
    ...(row.text === null ? {} : { text: row.text }),
    ...(command === undefined ? {} : { commandKind: command }),
    ...(row.exit === null ? {} : { exit: row.exit }),
    ...(row.tail === null ? {} : { tail: row.tail }),
    ...(row.call === null ? {} : { call: row.call }),
    ...(row.since === null ? {} : { since: row.since }),
    ...(row.facts === null ? {} : factsOf(row.facts)),
  }
}

/** Without a request for a dialog that has none. */
type WordsRow =
  | { readonly key: string; readonly mark: null }
  | ({ readonly key: string } & RequestWords)

interface RunsRow {
  readonly facts: string
  readonly tail: string | null
  readonly count: number
  readonly time: number
  readonly session: string
}

function repeatedRuns({ facts, tail, count, time, session }: RunsRow): RepeatedRuns {
  const { runs = [] } = factsOf(facts)
  return { runs, count, time, sessionId: session, ...(tail === null ? {} : { tail }) }
}

function factsText({ runs, git }: Deed): string | null {
  return runs?.length || git?.length ? JSON.stringify({ runs, git }) : null
}

/** Written by this program into a file of its own. */
function factsOf(text: string): Pick<Deed, 'runs' | 'git'> {
  return JSON.parse(text)
}

function linesOf({ plus, minus, came, gone, words }: DeedRow) {
  return {
    plus: plus ?? 0,
    minus: minus ?? 0,
    came: unpackPrints(came),
    gone: unpackPrints(gone),
    ...(words === null ? {} : { words: words.split(' ') }),
  }
}
