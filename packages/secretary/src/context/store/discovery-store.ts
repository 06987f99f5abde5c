import { nameOfProject, namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely'
import * as z from 'zod'
import { inSpaceOf, spaceName } from '../../spaces/store/space-filters.ts'
import { recordAudit } from '../../spaces/store/space-store.ts'
import { type Database, type Engine, storedJson, totalOf } from '../../storage/database.ts'
import type { DiscoveryTable, Tables } from '../../storage/tables.ts'
import type { Owner } from '../access/access.ts'
import {
  type Discovery,
  type DiscoveryState,
  type DiscoveryStore,
  type DiscoveryType,
  type FileMark,
  type Mention,
  VERDICTS,
} from '../discoveries/discovery.ts'
import { saidOf } from '../discoveries/likeness.ts'

const MAX_AT_ONCE = 500

const MAX_SOURCES = 20

const fileMarks: z.ZodType<FileMark[]> = z.array(z.object({ path: z.string(), hash: z.string() }))
const sources: z.ZodType<Mention[]> = z.array(
  z.object({ dialog: z.string().optional(), request: z.int().optional(), date: z.string() }),
)

export function createDiscoveryStore(database: Database): DiscoveryStore {
  return {
    async record(owner, discovery) {
      return database.use((db) =>
        oneAtATime(db, database.engine, owner, (trx) => recordDiscovery(trx, owner, discovery)),
      )
    },

    async suggest(owner, session, discoveries) {
      await database.use((db) =>
        oneAtATime(db, database.engine, owner, (trx) =>
          suggestDiscoveries(trx, owner, session, discoveries),
        ),
      )
    },

    async judge(owner, id, { verdict, follows = null }) {
      const row = await database.use((db) =>
        db
          .updateTable('discoveries')
          .set({ verdict, follows })
          .where((e) => isOwn(e, owner))
          .where((e) => isInState(e, 'suggested'))
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
      )
      return row && discoveryOf(row)
    },

    async followers(owner, ids) {
      if (ids.length === 0) return new Map()
      const rows = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .select(['id', 'follows'])
          .where((e) => mayBeRead(e, owner))
          .where((e) => isInState(e, 'accepted'))
          .where('follows', 'in', [...ids])
          .orderBy('created_at')
          .execute(),
      )
      return new Map(rows.map(({ id, follows }) => [follows ?? '', id]))
    },

    async list(owner, wanted) {
      const { type, module, session, since, withArchived, withSpaces, limit, offset = 0 } = wanted
      return database.use(async (db) => {
        let mine = db
          .selectFrom('discoveries')
          .where((e) => (withSpaces ? isReadable(e, owner) : isOwn(e, owner)))
          .where((e) => isInState(e, wanted.state ?? 'accepted'))
        if (type) mine = mine.where('type', '=', type)
        if (module) mine = mine.where('module', '=', module)
        if (session) mine = mine.where('session', '=', session)
        if (since) mine = mine.where('created_at', '>=', since)
        if (!withArchived) mine = mine.where('archived', '=', 0)
        const rows = await mine
          .selectAll()
          .select(spaceName)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute()
        const count = () =>
          mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
        const page = { rows: rows.length, limit, offset }
        const total = wanted.isUncounted ? rows.length : await totalOf(page, count)
        return { discoveries: rows.map(discoveryOf), total }
      })
    },

    async addedSince(owner, type, date, limit) {
      const rows = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .select(['id', 'content', 'created_at as date'])
          .where((e) => isOwn(e, owner))
          .where((e) => isInState(e, 'accepted'))
          .where('type', '=', type)
          .where('created_at', '>=', date)
          .orderBy('created_at', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.reverse()
    },

    async charactersAtHand(owner) {
      const { characters } = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .select((e) => e.fn.sum<number | null>(e.fn('length', ['content'])).as('characters'))
          .where((e) => isOwn(e, owner))
          .where((e) => isInState(e, 'accepted'))
          .where('archived', '=', 0)
          .executeTakeFirstOrThrow(),
      )
      return Number(characters ?? 0)
    },

    async find(owner, ids) {
      if (ids.length === 0) return []
      const rows = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .selectAll()
          .select(spaceName)
          .where((e) => mayBeRead(e, owner))
          .where((e) => isInState(e, 'accepted'))
          .where('id', 'in', [...ids])
          .execute(),
      )
      return rows.map(discoveryOf)
    },

    async touch(owner, ids, now) {
      if (ids.length === 0) return
      await database.use((db) =>
        db
          .updateTable('discoveries')
          .set((e) => ({
            access_count: e('access_count', '+', 1),
            last_access_at: now,
            archived: 0,
          }))
          .where((e) => mayBeRead(e, owner))
          .where('id', 'in', [...ids])
          .execute(),
      )
    },

    async archive(owner, ids) {
      if (ids.length === 0) return
      await database.use((db) =>
        db
          .updateTable('discoveries')
          .set({ archived: 1 })
          .where((e) => isOwn(e, owner))
          .where('id', 'in', [...ids])
          .execute(),
      )
    },
  }
}

type DiscoveryRow = Omit<Selectable<DiscoveryTable>, 'user_id' | 'project'>

export function rowOf(discovery: Discovery): DiscoveryRow {
  const { id, type, origin, confidence, date } = discovery
  const content = redact(discovery.content)
  return {
    id,
    type,
    content,
    origin,
    confidence,
    said: saidOf(content),
    follows: discovery.follows ?? null,
    sources: JSON.stringify(discovery.sources),
    module: discovery.module ?? null,
    session: discovery.session ?? null,
    created_at: date,
    files: JSON.stringify(discovery.files),
    access_count: discovery.accessCount,
    last_access_at: discovery.lastAccessAt ?? null,
    archived: Number(discovery.archived),
    space_id: discovery.spaceId ?? null,
    verdict: discovery.verdict ?? null,
  }
}

export function discoveryOf(
  row: DiscoveryRow & { space?: string | null; user_id?: string },
): Discovery {
  const verdict = VERDICTS.find((known) => known === row.verdict)
  return {
    id: row.id,
    type: row.type as DiscoveryType,
    content: row.content,
    date: row.created_at,
    confidence: Number(row.confidence),
    origin: row.origin === 'dialog' ? 'dialog' : 'recorded',
    files: storedJson(row.files, fileMarks) ?? [],
    sources: storedJson(row.sources, sources) ?? [],
    accessCount: row.access_count,
    archived: row.archived === 1,
    ...(verdict ? { verdict } : {}),
    ...(row.space ? { space: row.space, ...(row.user_id ? { by: row.user_id } : {}) } : {}),
    ...(row.space_id === null ? {} : { spaceId: row.space_id }),
    ...(row.module === null ? {} : { module: row.module }),
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.follows === null ? {} : { follows: row.follows }),
    ...(row.last_access_at === null ? {} : { lastAccessAt: row.last_access_at }),
  }
}

type OfDiscoveries = ExpressionBuilder<Tables, 'discoveries'>

/** A person's own of a project, or those of one space. */
export function isOwn(e: OfDiscoveries, { user, project, space }: Owner) {
  if (space !== undefined)
    return e.and([e('space_id', '=', space), e('project', 'in', namesOfProject(project))])
  return isPersonal(e, user, project)
}

/** A person's own of a project, and those of spaces that they may read. */
function isReadable({ eb }: OfDiscoveries, { user, project }: Owner) {
  const ids = eb.selectFrom('discoveries').select('discoveries.id')
  const own = ids.where((e) => isPersonal(e, user, project))
  const shared = ids.where((e) => isSharedWith(e, user, project))
  return eb('id', 'in', own.unionAll(shared))
}

/** The same for a few that are looked up by an id: each is checked, instead of listing all. */
function mayBeRead(e: OfDiscoveries, { user, project }: Owner) {
  return e.or([isPersonal(e, user, project), isSharedWith(e, user, project)])
}

/** How far a discovery has come: see DiscoveryState. */
export function isInState(e: OfDiscoveries, state: DiscoveryState) {
  if (state === 'dismissed') return e('verdict', '=', 'dismissed')
  if (state === 'suggested') return e.and([e('origin', '=', 'dialog'), e('verdict', 'is', null)])
  return e.or([e('origin', '=', 'recorded'), e('verdict', '=', 'confirmed')])
}

function isPersonal(e: OfDiscoveries, user: string, project: string) {
  return e.and([
    e('project', 'in', namesOfProject(project)),
    e('user_id', '=', user),
    e('space_id', 'is', null),
  ])
}

function isSharedWith(e: OfDiscoveries, user: string, project: string) {
  return e.and([e('project', 'in', namesOfProject(project)), inSpaceOf(e, user, 'read')])
}

/** One at a time for each owner, whatever the process: what is looked for and then added cannot be added twice. */
function oneAtATime<T>(
  db: Kysely<Tables>,
  engine: Engine,
  owner: Owner,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    if (engine === 'postgres') {
      const { sql } = await import('kysely')
      await sql`select pg_advisory_xact_lock(hashtextextended(${lockName(owner)}, 0))`.execute(trx)
    }
    return work(trx)
  })
}

function lockName(owner: Owner): string {
  const project = nameOfProject(owner.project)
  return owner.space === undefined ? `${owner.user} ${project}` : `${owner.space}\n${project}`
}

async function recordDiscovery(
  trx: Transaction<Tables>,
  owner: Owner,
  discovery: Discovery,
): Promise<{ discovery: Discovery; merged: boolean }> {
  const known = await findSame(trx, owner, discovery)
  if (!known) {
    await insertDiscoveries(trx, owner, [discovery])
    await audit(trx, owner, discovery, 'record')
    return { discovery, merged: false }
  }
  const confirmed = confirmedBy(known, discovery)
  await update(trx, owner, confirmed)
  await audit(trx, owner, { ...confirmed, date: discovery.date }, 'confirm')
  return { discovery: confirmed, merged: true }
}

async function suggestDiscoveries(
  trx: Transaction<Tables>,
  owner: Owner,
  session: string,
  discoveries: readonly Discovery[],
): Promise<void> {
  const kept = discoveries.map(({ id }) => id)
  await trx
    .deleteFrom('discoveries')
    .where((e) => isOwn(e, owner))
    .where((e) => isInState(e, 'suggested'))
    .where('session', '=', session)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute()
  for (const discovery of discoveries) {
    const known = await findSame(trx, owner, discovery)
    if (!known) await insertDiscoveries(trx, owner, [discovery])
    else if (!hasSource(known, discovery))
      await update(trx, owner, { ...known, sources: joined(known, discovery) })
  }
}

/** The same words about another module are another discovery; about no module, they are the same. */
async function findSame(
  trx: Transaction<Tables>,
  owner: Owner,
  { type, content, module }: Discovery,
): Promise<Discovery | undefined> {
  const found = await ofOwner(trx, owner)
    .selectAll()
    .where('type', '=', type)
    .where('said', '=', saidOf(content))
    .execute()
  // Ordered here: asked for an order, SQLite walks all of a type by date instead of looking the words up.
  const rows = found.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const row =
    rows.find((candidate) => candidate.module === (module ?? null)) ??
    rows.find((candidate) => candidate.module === null || module === undefined)
  return row && discoveryOf(row)
}

/** Said on purpose, it is no longer a suggestion, nor dismissed. */
function confirmedBy({ verdict: _verdict, ...known }: Discovery, again: Discovery): Discovery {
  const module = known.module ?? again.module
  const marks = new Map<string, FileMark>()
  for (const mark of [...known.files, ...again.files]) marks.set(mark.path, mark)
  return {
    ...known,
    origin: 'recorded',
    ...(module ? { module } : {}),
    files: [...marks.values()],
    sources: joined(known, again),
    confidence: Math.max(known.confidence, again.confidence),
    accessCount: known.accessCount + 1,
    lastAccessAt: again.date,
    archived: false,
  }
}

/** The first one stays, and the latest. */
function joined(known: Discovery, again: Discovery): Mention[] {
  const [first, ...later] = [...known.sources, ...again.sources]
  return first ? [first, ...later.slice(1 - MAX_SOURCES)] : []
}

function hasSource(known: Discovery, { sources: [source] }: Discovery): boolean {
  return known.sources.some(
    ({ dialog, request }) => dialog === source?.dialog && request === source?.request,
  )
}

async function insertDiscoveries(
  trx: Transaction<Tables>,
  owner: Owner,
  discoveries: readonly Discovery[],
): Promise<void> {
  const about = { user_id: owner.user, project: nameOfProject(owner.project) }
  await trx
    .insertInto('discoveries')
    .values(discoveries.map((discovery) => ({ ...about, ...rowOf(discovery) })))
    .onConflict((conflict) => conflict.columns(['user_id', 'project', 'id']).doNothing())
    .execute()
}

async function update(trx: Transaction<Tables>, owner: Owner, discovery: Discovery) {
  const { id, ...row } = rowOf(discovery)
  await trx
    .updateTable('discoveries')
    .set({ ...row, project: nameOfProject(owner.project) })
    .where((e) => isOwn(e, owner))
    .where('id', '=', id)
    .execute()
}

function ofOwner(trx: Transaction<Tables>, owner: Owner) {
  return trx.selectFrom('discoveries').where((e) => isOwn(e, owner))
}

/** Of what a space knows, who said it. */
async function audit(
  trx: Transaction<Tables>,
  { user, space }: Owner,
  { id, type, date: at }: Discovery,
  action: 'record' | 'confirm',
): Promise<void> {
  if (space === undefined) return
  const subject = { kind: 'discovery', id } as const
  await recordAudit(trx, { at, user, space, action, subject, text: type })
}

/** Removes the discoveries that were drawn from a user's dialogs, and says which they were. Recorded ones stay. */
export async function forgetDrawn(
  database: Database,
  user: string,
  sessions: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < sessions.length; start += MAX_AT_ONCE) {
    const rows = await database.use((db) =>
      db
        .deleteFrom('discoveries')
        .where('user_id', '=', user)
        .where('origin', '=', 'dialog')
        .where('session', 'in', sessions.slice(start, start + MAX_AT_ONCE))
        .returning('id')
        .execute(),
    )
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}
