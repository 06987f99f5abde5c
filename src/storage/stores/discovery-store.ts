import type { Selectable } from 'kysely'
import * as z from 'zod'
import type { Discovery, DiscoveryType, FileMark } from '../../context/discoveries/discovery.ts'
import type { DiscoveryStore } from '../../context/discoveries/discovery-store.ts'
import type { Database } from '../database.ts'
import { storedJson } from '../stored-json.ts'
import type { DiscoveryTable } from '../tables.ts'

const fileMarks: z.ZodType<FileMark[]> = z.array(z.object({ path: z.string(), hash: z.string() }))

type Row = Omit<Selectable<DiscoveryTable>, 'user_id' | 'project'>

export function createDiscoveryStore(database: Database): DiscoveryStore {
  return {
    async add({ user, project }, discoveries) {
      if (discoveries.length === 0) return []
      const rows = discoveries.map((discovery) => ({ user_id: user, project, ...rowOf(discovery) }))
      const added = await database.use((db) =>
        db
          .insertInto('discoveries')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['user_id', 'project', 'id']).doNothing())
          .returning('id')
          .execute(),
      )
      const ids = new Set(added.map(({ id }) => id))
      return discoveries.filter(({ id }) => ids.has(id))
    },

    async list({ user, project }, { type, module, session, withArchived, limit, offset = 0 }) {
      return database.use(async (db) => {
        let mine = db
          .selectFrom('discoveries')
          .where('user_id', '=', user)
          .where('project', '=', project)
        if (type) mine = mine.where('type', '=', type)
        if (module) mine = mine.where('module', '=', module)
        if (session) mine = mine.where('session', '=', session)
        if (!withArchived) mine = mine.where('archived', '=', 0)
        const { total } = await mine
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        const rows = await mine
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute()
        return { discoveries: rows.map(discoveryOf), total: Number(total) }
      })
    },

    async addedSince({ user, project }, type, date, limit) {
      const rows = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .select(['id', 'content', 'created_at as date'])
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('type', '=', type)
          .where('created_at', '>=', date)
          .orderBy('created_at', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.reverse()
    },

    async charactersAtHand({ user, project }) {
      const { characters } = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .select((e) => e.fn.sum<number | null>(e.fn('length', ['content'])).as('characters'))
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('archived', '=', 0)
          .executeTakeFirstOrThrow(),
      )
      return Number(characters ?? 0)
    },

    async find({ user, project }, ids) {
      if (ids.length === 0) return []
      const rows = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .selectAll()
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('id', 'in', [...ids])
          .execute(),
      )
      return rows.map(discoveryOf)
    },

    async touch({ user, project }, ids, now) {
      if (ids.length === 0) return
      await database.use((db) =>
        db
          .updateTable('discoveries')
          .set((e) => ({
            access_count: e('access_count', '+', 1),
            last_access_at: now,
            archived: 0,
          }))
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('id', 'in', [...ids])
          .execute(),
      )
    },

    async archive({ user, project }, ids) {
      if (ids.length === 0) return
      await database.use((db) =>
        db
          .updateTable('discoveries')
          .set({ archived: 1 })
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('id', 'in', [...ids])
          .execute(),
      )
    },
  }
}

function rowOf({
  date,
  files,
  accessCount,
  lastAccessAt,
  module,
  session,
  archived,
  ...rest
}: Discovery) {
  return {
    ...rest,
    module: module ?? null,
    session: session ?? null,
    created_at: date,
    files: JSON.stringify(files),
    access_count: accessCount,
    last_access_at: lastAccessAt ?? null,
    archived: Number(archived),
  }
}

function discoveryOf(row: Row): Discovery {
  return {
    id: row.id,
    type: row.type as DiscoveryType,
    content: row.content,
    date: row.created_at,
    confidence: Number(row.confidence),
    origin: row.origin === 'dialog' ? 'dialog' : 'recorded',
    files: storedJson(row.files, fileMarks) ?? [],
    accessCount: row.access_count,
    archived: row.archived === 1,
    ...(row.module === null ? {} : { module: row.module }),
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.last_access_at === null ? {} : { lastAccessAt: row.last_access_at }),
  }
}
