import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import type { SourceName } from '@secretary-mcp/transcripts/source-names.ts'
import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import { inSpaceOf, spaceName } from '../../spaces/store/space-filters.ts'
import { recordAudit } from '../../spaces/store/space-store.ts'
import { type Database, type Engine, storedJson } from '../../storage/database.ts'
import type { SharedRequestTable, Tables } from '../../storage/tables.ts'
import { type PackedDeed, packDeed, unpackDeed } from '../deeds/kept-deed.ts'

/** Everything but the deeds, which are many times as long as the rest. */
const WORDS = [
  'user_id',
  'session_id',
  'position',
  'source',
  'asked_at',
  'request',
  'answer',
  'files',
] as const

const ROWS_AT_ONCE = 50
const SESSIONS_AT_ONCE = 500

/** Where one text is in another, from 1. */
const PLACE = { sqlite: 'instr', postgres: 'strpos' } as const
const NAMES_AT_ONCE = 100
const MAX_OF_DIALOG = 5_000
const MAX_OF_SPACE = 100_000

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
          .limit(MAX_OF_DIALOG)
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
          .limit(MAX_OF_SPACE)
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

type Standing = Pick<SharedRequestStore, 'keepSharing' | 'stopSharing' | 'standing'>

/** Which projects' later dialogs people share without being asked again. */
function createStandingShares(database: Database): Standing {
  return {
    keepSharing: (user, project, spaceId, now) =>
      database.use(async (db) => {
        await db
          .insertInto('request_sharing')
          .values({ user_id: user, project, space_id: spaceId, since: now })
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'project', 'space_id']).doNothing(),
          )
          .execute()
      }),

    stopSharing: (user, project, space) =>
      database.use(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom('request_sharing')
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('space_id', 'in', (e) =>
            e
              .selectFrom('spaces')
              .select('spaces.id')
              .where((of) => of.or([of('spaces.id', '=', space), of('spaces.name', '=', space)])),
          )
          .executeTakeFirst()
        return Number(numDeletedRows) > 0
      }),

    standing: (user) =>
      database.use((db) =>
        db
          .selectFrom('request_sharing')
          .innerJoin('spaces', 'spaces.id', 'request_sharing.space_id')
          .select([
            'request_sharing.project as project',
            'spaces.id as spaceId',
            'spaces.name as space',
            'since',
          ])
          .where('user_id', '=', user)
          .orderBy('spaces.name')
          .execute(),
      ),
  }
}

type Sharing = Pick<SharedRequestStore, 'share' | 'takeBack'>

/** What a space has of requests: shared, shared again and taken back, each with its entry in the log. */
function createRequestSharing(database: Database): Sharing {
  const write = <T>(work: (trx: Transaction<Tables>) => Promise<T>) =>
    database.use((db) => db.transaction().execute(work))
  return {
    share: (dialog, now, { isStanding = false } = {}) =>
      write(async (trx) => {
        const { user, space, sessionId, requests } = dialog
        // Whoever takes the dialog back at the same time comes before or after.
        await raiseVersion(trx, space)
        const held = markOf(trx, user, sessionId, space)
        if (isStanding && (await held.select('space_id').executeTakeFirst())) return undefined
        if (!isStanding)
          await trx
            .deleteFrom('unshared_dialogs')
            .where('user_id', '=', user)
            .where('session_id', '=', sessionId)
            .where('space_id', '=', space)
            .execute()
        const own = { user, space, sessionId }
        const before = await countOf(trx, own)
        await trx
          .deleteFrom('shared_requests')
          .where('space_id', '=', space)
          .where('user_id', '=', user)
          .where('session_id', '=', sessionId)
          .execute()
        const rows = requests.map((request) => rowOf(dialog, request, now))
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
          await trx
            .insertInto('shared_requests')
            .values(rows.slice(start, start + ROWS_AT_ONCE))
            .execute()
        if (before !== rows.length)
          await audit(trx, own, now, before === 0 ? 'share' : 'update', rows.length)
        return rows.length
      }),

    takeBack: (user, taken, now) =>
      write(async (trx) => {
        const gone = new Set<string>()
        for (const sessions of partsOf(taken.sessions))
          for (const { space, sessionId } of await sharedOf(trx, user, { ...taken, sessions })) {
            await raiseVersion(trx, space)
            const { numDeletedRows } = await trx
              .deleteFrom('shared_requests')
              .where('space_id', '=', space)
              .where('user_id', '=', user)
              .where('session_id', '=', sessionId)
              .executeTakeFirst()
            if (!taken.isForgotten) await hold(trx, user, sessionId, space)
            if (Number(numDeletedRows) === 0) continue
            gone.add(sessionId)
            const own = { user, space, sessionId, remover: taken.remover }
            await audit(trx, own, now, 'unshare', Number(numDeletedRows))
          }
        return gone.size
      }),
  }
}

interface OwnDialog {
  readonly user: string
  readonly space: string
  readonly sessionId: string
}

/** Holds the row until the transaction ends: of two who change what a space has, one waits. */
async function raiseVersion(trx: Transaction<Tables>, space: string): Promise<void> {
  await trx
    .insertInto('shared_versions')
    .values({ name: versionName(space), version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((e) => ({ version: e('shared_versions.version', '+', 1) })),
    )
    .execute()
}

function versionName(space: string): string {
  return `requests/${space}`
}

function markOf(db: Kysely<Tables>, user: string, sessionId: string, space: string) {
  return db
    .selectFrom('unshared_dialogs')
    .where('user_id', '=', user)
    .where('session_id', '=', sessionId)
    .where('space_id', '=', space)
}

async function hold(
  trx: Transaction<Tables>,
  user: string,
  sessionId: string,
  space: string,
): Promise<void> {
  await trx
    .insertInto('unshared_dialogs')
    .values({ user_id: user, session_id: sessionId, space_id: space })
    .onConflict((conflict) => conflict.columns(['user_id', 'session_id', 'space_id']).doNothing())
    .execute()
}

async function countOf(
  trx: Transaction<Tables>,
  { user, space, sessionId }: OwnDialog,
): Promise<number> {
  const { total } = await trx
    .selectFrom('shared_requests')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('space_id', '=', space)
    .where('user_id', '=', user)
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Of the user's own alone; a space goes by its id or its name, whether or not they still belong to it. */
async function sharedOf(
  trx: Transaction<Tables>,
  user: string,
  { sessions, space, project }: TakenBack,
): Promise<{ space: string; sessionId: string }[]> {
  let own = trx
    .selectFrom('shared_requests')
    .innerJoin('spaces', 'spaces.id', 'shared_requests.space_id')
    .select(['space_id as space', 'session_id as sessionId'])
    .distinct()
    .where('user_id', '=', user)
  if (sessions) own = own.where('session_id', 'in', sessions)
  if (space !== undefined)
    own = own.where((e) => e.or([e('spaces.id', '=', space), e('spaces.name', '=', space)]))
  if (project !== undefined) own = own.where('shared_requests.project', '=', project)
  // In the same order for all, so that no two wait for each other.
  return own.orderBy('space_id').orderBy('session_id').execute()
}

function partsOf(sessions: readonly string[] | undefined): (readonly string[] | undefined)[] {
  if (!sessions) return [undefined]
  const parts = []
  for (let start = 0; start < sessions.length; start += SESSIONS_AT_ONCE)
    parts.push(sessions.slice(start, start + SESSIONS_AT_ONCE))
  return parts
}

function audit(
  trx: Transaction<Tables>,
  { user, space, sessionId, remover = user }: OwnDialog & { readonly remover?: string },
  at: string,
  action: 'share' | 'update' | 'unshare',
  requests: number,
): Promise<void> {
  const subject = { kind: 'request', id: sessionId } as const
  const count = requests === 1 ? '1 request' : `${requests} requests`
  const text = remover === user ? count : `${count} of ${user}`
  return recordAudit(trx, { at, user: remover, space, action, subject, text })
}

type WordsRow = Pick<SharedRequestTable, (typeof WORDS)[number]> & { readonly space: string | null }

/** A list of prints would be long to check line by line, and only we write it. */
const packedDeeds = z.custom<PackedDeed[]>(Array.isArray)

function rowOf(
  { space, user, sessionId, project, source }: DialogToShare,
  { position, askedAt, request, answer, deeds }: RequestToShare,
  now: string,
): SharedRequestTable {
  return {
    space_id: space,
    user_id: user,
    session_id: sessionId,
    position,
    project,
    source,
    asked_at: askedAt,
    request,
    answer: answer ?? null,
    files: filesText(deeds),
    deeds: JSON.stringify(deeds.map(packDeed)),
    shared_at: now,
  }
}

function requestOf(row: WordsRow): RequestInSpace {
  return {
    by: row.user_id,
    sessionId: row.session_id,
    position: row.position,
    space: row.space ?? '',
    source: row.source as SourceName,
    askedAt: row.asked_at,
    request: row.request,
    ...(row.answer === null ? {} : { answer: row.answer }),
    files: row.files.split('\n').filter((path) => path !== ''),
  }
}

function workedOf(row: WordsRow & { readonly deeds: string }): WorkedRequest {
  const deeds = storedJson(row.deeds, packedDeeds) ?? []
  return { ...requestOf(row), deeds: deeds.map(unpackDeed) }
}

/** What `files` holds of a file, and of no other. */
function fileMark(path: string): string {
  return `\n${path}\n`
}

function filesText(deeds: readonly Deed[]): string {
  const changed = deeds.filter(({ kind }) => /^(create|change|delete)$/.test(kind))
  const paths = new Set(changed.flatMap(({ path }) => path ?? []))
  return [...paths].map((path) => fileMark(path)).join('')
}

/** One request as it is shared: without secrets, and without what tells of the machine. */
export interface RequestToShare {
  /** From 1, as in the dialog. */
  readonly position: number
  /** ISO 8601. */
  readonly askedAt: string
  readonly request: string
  readonly answer?: string
  /** Paths in them are those of the repository. */
  readonly deeds: readonly Deed[]
}

export interface DialogToShare {
  readonly user: string
  /** Its id. */
  readonly space: string
  readonly sessionId: string
  /** Names the repository, whoever has a clone of it. */
  readonly project: string
  readonly source: SourceName
  readonly requests: readonly RequestToShare[]
}

/** Names a shared request for those who may read it. */
interface RequestName {
  /** Who shares it. */
  readonly by: string
  readonly sessionId: string
  readonly position: number
}

/** A shared request as somebody sees who may. */
export interface RequestInSpace extends RequestName {
  /** Name of the space. */
  readonly space: string
  readonly source: SourceName
  readonly askedAt: string
  readonly request: string
  readonly answer?: string
  /** Those that were changed. */
  readonly files: readonly string[]
}

export interface WorkedRequest extends RequestInSpace {
  readonly deeds: readonly Deed[]
}

/** A dialog of which something is shared. */
export interface DialogInSpace {
  readonly sessionId: string
  readonly by: string
  readonly space: string
  readonly source: SourceName
  readonly requests: number
  readonly lastAskedAt: string
  readonly sharedAt: string
}

/** The later dialogs of a project are shared as they are read. */
export interface StandingShare {
  readonly project: string
  /** Id of the space. */
  readonly spaceId: string
  readonly space: string
  /** ISO 8601. */
  readonly since: string
}

/** What somebody takes back of their own, or an operator removes. */
interface TakenBack {
  readonly sessions?: readonly string[]
  /** Id or name of the space; all of them without one. */
  readonly space?: string
  readonly project?: string
  /** The dialog is forgotten: it leaves no mark. */
  readonly isForgotten?: boolean
  /** Who removes it, for the log, where that is somebody else. */
  readonly remover?: string
}

interface WantedRequests {
  readonly project: string
  readonly limit: number
  /** Only those that changed this file. */
  readonly file?: string
  /** Without those of the person who asks. */
  readonly byOthers?: boolean
}

/** What sharing needs from storage. Whoever reads sees the spaces that they may read, and nothing else is counted. */
export interface SharedRequestStore {
  /**
   * Replaces what the space has of the dialog; the number of requests. A standing share leaves out what was taken back: then
   * undefined.
   */
  share(
    dialog: DialogToShare,
    now: string,
    options?: { readonly isStanding?: boolean },
  ): Promise<number | undefined>
  /** The number of dialogs that are no longer shared. */
  takeBack(user: string, taken: TakenBack, now: string): Promise<number>
  /** What a person shares, also with spaces that they have left; the latest first. */
  sharedBy(user: string): Promise<DialogInSpace[]>
  keepSharing(user: string, project: string, spaceId: string, now: string): Promise<void>
  /** False where nothing was to be stopped. */
  stopSharing(user: string, project: string, space: string): Promise<boolean>
  standing(user: string): Promise<StandingShare[]>

  /** Those of these that the user may read. */
  find(user: string, names: readonly RequestName[]): Promise<RequestInSpace[]>
  /** What one person shares of a dialog with one space; where several do, what was shared last. */
  ofSession(user: string, sessionId: string): Promise<WorkedRequest[]>
  /** The latest first. */
  latest(user: string, wanted: WantedRequests): Promise<RequestInSpace[]>
  /** The same, with what was done. */
  worked(user: string, wanted: WantedRequests): Promise<WorkedRequest[]>
  /** Dialogs of one space, the latest first. */
  inSpace(
    user: string,
    spaceId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ dialogs: DialogInSpace[]; total: number }>
  /** A number for each space that rises with everything that is shared or taken back. */
  versions(spaceIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** All that a space has of a project, in the order of dialogs and requests. */
  ofSpace(user: string, spaceId: string, project: string): Promise<RequestInSpace[]>
}
