import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import * as z from 'zod'
import type { Repository } from '@secretary-mcp/core/files/repository.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { COMMAND_KINDS, DEED_KINDS } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { DeedFilter, DeedStore } from '../deed-store.ts'
import { storedJson } from '../../../storage/stored-json.ts'
import { closeSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { rowsOf } from '@secretary-mcp/core/sqlite/rows-of.ts'
import { whileBusy } from '@secretary-mcp/core/sqlite/while-busy.ts'
import {
  DEED_COLUMNS,
  type DeedRow,
  type DeedValue,
  deedOf,
  type RunsRow,
  repeatedRuns,
} from './deed-row.ts'
import { deedWriter } from './deed-writer.ts'
import { openDeeds } from './open-deeds.ts'

const FROM = 'FROM deeds e JOIN dialogs d ON d.id = e.dialog LEFT JOIN paths p ON p.id = e.path'
const MOST_OF_A_LINE = 4000
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
      return rowsOf<DeedRow>(
        db.prepare(sql),
        ...values,
        JSON.stringify(prints),
        MOST_OF_A_LINE,
      ).map(deedOf)
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
