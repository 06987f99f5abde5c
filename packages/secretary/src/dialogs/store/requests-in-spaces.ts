import type { Kysely } from 'kysely'
import type {
  DialogInSpace,
  RequestInSpace,
  RequestName,
  SharedRequestStore,
  WantedRequests,
} from '../sharing/sharing-store.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { Database, Engine } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import { fileMark, requestOf, WORDS, workedOf } from './request-row.ts'
import { createStandingShares } from './request-standing.ts'
import { createRequestSharing, versionName } from './share-requests.ts'
import { inSpaceOf, spaceName } from '../../spaces/store/space-filters.ts'

/** Where one text is in another, from 1. */
const PLACE = { sqlite: 'instr', postgres: 'strpos' } as const
const NAMES_AT_ONCE = 100
const MOST_OF_DIALOG = 5_000
const MOST_OF_SPACE = 100_000

export function createSharedRequestStore(database: Database): SharedRequestStore {
  return {
    ...createRequestSharing(database),
    ...createStandingShares(database),

    sharedBy: (user) =>
      database.use(async (db) => {
        const own = dialogsAmong(db.selectFrom('shared_requests').where('user_id', '=', user))
        return (await own.orderBy('last_asked', 'desc').execute()).map(dialogOf)
      }),

    find: (user, names) =>
      database.use(async (db) => {
        const found: RequestInSpace[] = []
        for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
          const some = names.slice(start, start + NAMES_AT_ONCE)
          const rows = await readable(db, user)
            .where((e) => e.or(some.map((name) => e.and(namedSo(name)))))
            .select(WORDS)
            .select(spaceName)
            .orderBy('space')
            .execute()
          found.push(...rows.map(requestOf))
        }
        return eachOnce(found)
      }),

    ofSession: (user, sessionId) =>
      database.use(async (db) => {
        const ofDialog = readable(db, user).where('session_id', '=', sessionId)
        const last = await ofDialog
          .select(['user_id', 'space_id'])
          .orderBy('shared_at', 'desc')
          .orderBy('user_id')
          .orderBy('space_id')
          .limit(1)
          .executeTakeFirst()
        if (!last) return []
        const rows = await ofDialog
          .where('user_id', '=', last.user_id)
          .where('space_id', '=', last.space_id)
          .select(WORDS)
          .select('deeds')
          .select(spaceName)
          .orderBy('position')
          .limit(MOST_OF_DIALOG)
          .execute()
        return rows.map(workedOf)
      }),

    latest: (user, wanted) =>
      database.use(async (db) => {
        const rows = await wantedOf(db, database.engine, user, wanted)
          .select(WORDS)
          .select(spaceName)
          .execute()
        return eachOnce(rows.map(requestOf))
      }),

    worked: (user, wanted) =>
      database.use(async (db) => {
        const rows = await wantedOf(db, database.engine, user, wanted)
          .select(WORDS)
          .select('deeds')
          .select(spaceName)
          .execute()
        return eachOnce(rows.map(workedOf))
      }),

    inSpace: (user, spaceId, { limit, offset }) =>
      database.use(async (db) => {
        const here = dialogsAmong(readable(db, user).where('space_id', '=', spaceId))
        const { total } = await db
          .selectFrom(here.as('dialogs_here'))
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const rows = await here
          .orderBy('last_asked', 'desc')
          .orderBy('user_id')
          .orderBy('session_id')
          .limit(limit)
          .offset(offset)
          .execute()
        return { dialogs: rows.map(dialogOf), total: Number(total) }
      }),

    versions: (spaceIds) =>
      database.use(async (db) => {
        const names = new Map(spaceIds.map((id) => [versionName(id), id]))
        if (names.size === 0) return new Map()
        const rows = await db
          .selectFrom('shared_versions')
          .select(['name', 'version'])
          .where('name', 'in', [...names.keys()])
          .execute()
        return new Map(rows.map(({ name, version }) => [names.get(name) ?? '', Number(version)]))
      }),

    ofSpace: (user, spaceId, project) =>
      database.use(async (db) => {
        const rows = await readable(db, user)
          .where('space_id', '=', spaceId)
          .where('project', '=', project)
          .select(WORDS)
          .select(spaceName)
          .orderBy('user_id')
          .orderBy('session_id')
          .orderBy('position')
          .limit(MOST_OF_SPACE)
          .execute()
        return rows.map(requestOf)
      }),
  }
}

/** What a user may read, and nothing else. */
function readable(db: Kysely<Tables>, user: string) {
  return db.selectFrom('shared_requests').where((e) => inSpaceOf(e, user, 'read'))
}

function wantedOf(
  db: Kysely<Tables>,
  engine: Engine,
  user: string,
  { project, limit, file, byOthers }: WantedRequests,
) {
  let wanted = readable(db, user).where('project', '=', project)
  if (file !== undefined)
    wanted = wanted.where((e) =>
      e(e.fn<number>(PLACE[engine], ['files', e.val(fileMark(file))]), '>', 0),
    )
  if (byOthers) wanted = wanted.where('user_id', '<>', user)
  return wanted.orderBy('asked_at', 'desc').orderBy('space_id').limit(limit)
}

function namedSo({ by, sessionId, position }: RequestName) {
  return { user_id: by, session_id: sessionId, position }
}

/** Of one that is shared with several spaces, the first. */
function eachOnce<T extends RequestName>(requests: readonly T[]): T[] {
  const byName = new Map<string, T>()
  for (const one of requests) {
    const name = JSON.stringify([one.by, one.sessionId, one.position])
    if (!byName.has(name)) byName.set(name, one)
  }
  return [...byName.values()]
}

/** Requests by their dialogs. */
function dialogsAmong(requests: ReturnType<typeof readable>) {
  return requests
    .groupBy(['space_id', 'user_id', 'session_id', 'source'])
    .select(['user_id', 'session_id', 'source'])
    .select(spaceName)
    .select((e) => [
      e.fn.countAll<number>().as('requests'),
      e.fn.max('asked_at').as('last_asked'),
      e.fn.max('shared_at').as('last_shared'),
    ])
}

function dialogOf(row: {
  space: string | null
  user_id: string
  session_id: string
  source: string
  requests: number | string | bigint
  last_asked: string
  last_shared: string
}): DialogInSpace {
  return {
    sessionId: row.session_id,
    by: row.user_id,
    space: row.space ?? '',
    source: row.source as SourceName,
    requests: Number(row.requests),
    lastAskedAt: row.last_asked,
    sharedAt: row.last_shared,
  }
}
