import type { Dialog, DialogStatus, Reading } from '@secretary-mcp/transcripts/dialog.ts'
import { REPOSITORY_SOURCES, type SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import * as z from 'zod'
import { type Database, storedJson, totalOf } from '../../storage/database.ts'
import type { DialogTable, Tables } from '../../storage/tables.ts'
import type { DialogStore, IndexedDialog } from '../dialog-store.ts'
import type { DialogClaim } from '../keeping/kept-store.ts'

/** A dialog can have thousands of marks and is asked for often, so its outline is checked and not each of them. */
const reading = z.custom<Reading>(isReading)

type Row = Omit<DialogTable, 'owner' | 'reading' | 'stored_at' | 'removed'>

const COLUMNS = [
  'key',
  'session_id',
  'source',
  'project',
  'title',
  'first_seen',
  'last_seen',
  'requests_count',
  'status',
  'first_request_preview',
  'agent_id',
  'model_id',
  'chat_json_path',
  'size',
  'mtime_ms',
] as const
const MAX_OF_ONE_SESSION = 20
const MAX_KEYS = 500
const MAX_PROJECTS = 1000

/** Every method sees the given owner's dialogs alone. */
export function createDialogStore(database: Database, owner: string): DialogStore {
  return {
    get generation() {
      return database.generation
    },

    async stamps() {
      const rows = await database.use((db) =>
        db
          .selectFrom('dialogs')
          .select(['key', 'size', 'mtime_ms', 'chat_json_path', 'removed'])
          .where('owner', '=', owner)
          .execute(),
      )
      return new Map(
        rows.map((row) => [
          row.key,
          {
            size: Number(row.size),
            mtimeMs: Number(row.mtime_ms),
            gone: row.chat_json_path === null,
            ...(row.removed ? { removed: true } : {}),
          },
        ]),
      )
    },

    async list(filter) {
      const { projects, source, asked, present, since, until, storedSince, limit, offset } = filter
      return database.use(async (db) => {
        let mine = db
          .selectFrom('dialogs')
          .where('owner', '=', owner)
          .where('removed', '=', filter.removed ? 1 : 0)
        if (projects) mine = mine.where((e) => e.or(projects.flatMap((name) => within(e, name))))
        if (source) mine = mine.where('source', '=', source)
        if (asked) mine = mine.where('requests_count', '>', 0)
        if (filter.isOwn) mine = mine.where('source', 'not in', REPOSITORY_SOURCES)
        if (present !== undefined)
          mine = mine.where('chat_json_path', present ? 'is not' : 'is', null)
        if (storedSince !== undefined) mine = mine.where('stored_at', '>=', storedSince)
        if (since !== undefined) mine = mine.where('last_seen', '>=', since)
        if (until !== undefined) mine = mine.where('last_seen', '<=', until)
        const rows = await mine
          .select(COLUMNS)
          .orderBy('last_seen', 'desc')
          .orderBy('first_seen', 'desc')
          // Pages of equal times would otherwise overlap, and leave out as many.
          .orderBy('key')
          .limit(limit)
          .offset(offset)
          .execute()
        const total = await totalOf({ rows: rows.length, limit, offset }, () =>
          mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
        )
        return { dialogs: rows.map(dialogOf), total }
      })
    },

    async facets() {
      return database.use(async (db) => {
        const asked = db
          .selectFrom('dialogs')
          .where('owner', '=', owner)
          .where('requests_count', '>', 0)
          .distinct()
        const sources = await asked.select('source').orderBy('source').execute()
        const projects = await asked
          .select('project')
          .orderBy('project')
          .limit(MAX_PROJECTS)
          .execute()
        return {
          sources: sources.map(({ source }) => source),
          projects: projects.flatMap(({ project }) =>
            project === null || project.startsWith('sha256:') ? [] : project,
          ),
        }
      })
    },

    findBySession: (sessionId) => ofSession(sessionId, 0),

    async sessionIds() {
      const rows = await database.use((db) =>
        db
          .selectFrom('dialogs')
          .select('session_id')
          .distinct()
          .where('owner', '=', owner)
          .where('removed', '=', 0)
          .where('requests_count', '>', 0)
          .execute(),
      )
      return rows.map(({ session_id }) => session_id)
    },

    async findReading(key) {
      const row = await database.use((db) =>
        db
          .selectFrom('dialogs')
          .select('reading')
          .where('owner', '=', owner)
          .where('key', '=', key)
          .executeTakeFirst(),
      )
      return row && storedJson(row.reading, reading)
    },

    latestChange: () => database.use(lastChange),

    async save(dialogs) {
      await database.use((db) =>
        db.transaction().execute(async (trx) => {
          const stored_at = await nextChange(trx)
          for (const dialog of dialogs) {
            const row = { ...rowOf(dialog), stored_at, removed: 0 }
            await trx
              .insertInto('dialogs')
              .values({ owner, ...row })
              .onConflict((conflict) => conflict.columns(['owner', 'key']).doUpdateSet(row))
              .execute()
          }
        }),
      )
    },

    markGone: (keys) => update(keys, { chat_json_path: null }),

    remove: (keys) => update(keys, { ...NOTHING_LEFT, removed: 1 }),

    findRemoved: (sessionId) => ofSession(sessionId, 1),

    async leftOut() {
      const rows = await database.use((db) =>
        db
          .selectFrom('dialogs')
          .select(['chat_json_path', 'reading'])
          .where('owner', '=', owner)
          .where('chat_json_path', 'is not', null)
          // Texts in a reading have their quotes escaped, so only the field itself is found.
          .where('reading', 'like', '%"leftOut":%')
          .orderBy('last_seen', 'desc')
          .execute(),
      )
      return rows.flatMap(({ chat_json_path: path, reading: stored }) => {
        const { leftOut } = storedJson(stored, reading) ?? {}
        return path && leftOut ? [{ path, ...leftOut }] : []
      })
    },
  }

  async function ofSession(sessionId: string, removed: number): Promise<Dialog[]> {
    const rows = await database.use((db) =>
      db
        .selectFrom('dialogs')
        .select(COLUMNS)
        .where('owner', '=', owner)
        .where('session_id', '=', sessionId)
        .where('removed', '=', removed)
        .orderBy('last_seen', 'desc')
        .limit(MAX_OF_ONE_SESSION)
        .execute(),
    )
    return rows.map(dialogOf)
  }

  async function update(keys: readonly string[], change: Partial<DialogTable>): Promise<void> {
    for (let start = 0; start < keys.length; start += MAX_KEYS) {
      const some = keys.slice(start, start + MAX_KEYS)
      await database.use((db) =>
        db.transaction().execute(async (trx) =>
          trx
            .updateTable('dialogs')
            .set({ ...change, stored_at: await nextChange(trx) })
            .where('owner', '=', owner)
            .where('key', 'in', some)
            .execute(),
        ),
      )
    }
  }

  async function lastChange(db: Kysely<Tables>): Promise<number> {
    const { last } = await db
      .selectFrom('dialogs')
      .select((e) => e.fn.max('stored_at').as('last'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    return Number(last ?? 0)
  }

  async function nextChange(db: Kysely<Tables>): Promise<number> {
    return Math.max(Date.now(), (await lastChange(db)) + 1)
  }
}

const NOTHING_LEFT = {
  chat_json_path: null,
  title: null,
  first_request_preview: null,
  requests_count: 0,
  reading: '{}',
}

function within(e: ExpressionBuilder<Tables, 'dialogs'>, name: string): Expression<SqlBool>[] {
  const below = `${name}/`
  return [
    e('project', '=', name),
    e(e.fn<string>('substr', ['project', e.lit(1), e.lit(below.length)]), '=', below),
  ]
}

function rowOf(dialog: IndexedDialog): Omit<DialogTable, 'owner' | 'stored_at' | 'removed'> {
  return {
    key: dialog.key,
    session_id: clean(dialog.sessionId),
    source: dialog.source,
    project: clean(dialog.project),
    title: clean(dialog.title),
    first_seen: dialog.firstSeen,
    last_seen: dialog.lastSeen,
    requests_count: dialog.requestsCount,
    status: dialog.status,
    first_request_preview: clean(dialog.firstRequestPreview),
    agent_id: clean(dialog.agentId),
    model_id: clean(dialog.modelId),
    chat_json_path: dialog.chatJsonPath ?? null,
    size: dialog.size,
    mtime_ms: dialog.mtimeMs,
    reading: JSON.stringify(dialog.reading),
  }
}

/** PostgreSQL takes no NUL in a text. */
function clean(text: string): string
function clean(text: string | undefined): string | null
function clean(text: string | undefined): string | null {
  return text?.replaceAll('\0', '').slice(0, 4000) ?? null
}

function dialogOf(row: Row): Dialog {
  return {
    key: row.key,
    sessionId: row.session_id,
    source: row.source as SourceName,
    project: row.project ?? undefined,
    title: row.title ?? undefined,
    firstSeen: Number(row.first_seen),
    lastSeen: Number(row.last_seen),
    requestsCount: row.requests_count,
    status: row.status as DialogStatus,
    firstRequestPreview: row.first_request_preview ?? undefined,
    agentId: row.agent_id ?? undefined,
    modelId: row.model_id ?? undefined,
    chatJsonPath: row.chat_json_path ?? undefined,
    size: Number(row.size),
    mtimeMs: Number(row.mtime_ms),
  }
}

function isReading(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  const { sessionId, status, marks, offset } = value as Partial<Reading>
  return (
    typeof sessionId === 'string' &&
    typeof status === 'string' &&
    typeof offset === 'number' &&
    Array.isArray(marks)
  )
}

interface Person {
  readonly user: string
  readonly host: string
}

/** Who has these dialogs in their index: this user on any machine, as hosts are renamed, and others on this one. */
export async function dialogClaims(
  database: Database,
  { user, host }: Person,
  keys: readonly string[],
): Promise<Map<string, Pick<DialogClaim, 'mine' | 'isOthers'>>> {
  const claims = new Map<string, Pick<DialogClaim, 'mine' | 'isOthers'>>()
  for (let start = 0; start < keys.length; start += MAX_KEYS) {
    const some = keys.slice(start, start + MAX_KEYS)
    const rows = await database.use((db) =>
      db
        .selectFrom('dialogs')
        .select(['owner', 'key', 'removed'])
        .where('key', 'in', some)
        .execute(),
    )
    for (const { owner, key, removed } of rows) {
      const { mine, isOthers = false } = claims.get(key) ?? {}
      const person = personOf(owner)
      if (person.user === user)
        claims.set(key, { mine: removed && mine !== 'there' ? 'removed' : 'there', isOthers })
      else if (person.host === host) claims.set(key, { mine, isOthers: true })
    }
  }
  return claims
}

/** Whether anybody else has used this machine with this database. */
export async function hasOtherUsers(database: Database, { user, host }: Person): Promise<boolean> {
  const rows = await database.use((db) =>
    db.selectFrom('dialogs').select('owner').distinct().execute(),
  )
  return rows
    .map(({ owner }) => personOf(owner))
    .some((one) => one.host === host && one.user !== user)
}

/** No host has the sign in its name; a user may. */
function personOf(owner: string): Person {
  const at = owner.lastIndexOf('@')
  return { user: owner.slice(0, at), host: owner.slice(at + 1) }
}
