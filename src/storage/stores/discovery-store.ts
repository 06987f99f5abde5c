import type { DiscoveryStore } from '../../context/discoveries/discovery-store.ts'
import type { Database } from '../database.ts'
import { discoveryOf } from './discovery-row.ts'

export function createDiscoveryStore(database: Database): DiscoveryStore {
  return {
    async record(owner, discovery) {
      const { oneAtATime, recordDiscovery } = await import('./record-discovery.ts')
      return database.use((db) =>
        oneAtATime(db, database.engine, owner, (trx) => recordDiscovery(trx, owner, discovery)),
      )
    },

    async addOfSession(owner, session, discoveries, most) {
      if (discoveries.length === 0) return []
      const { addOfSession, oneAtATime } = await import('./record-discovery.ts')
      return database.use((db) =>
        oneAtATime(db, database.engine, owner, (trx) =>
          addOfSession(trx, owner, session, discoveries, most),
        ),
      )
    },

    async followers({ user, project }, ids) {
      if (ids.length === 0) return new Map()
      const rows = await database.use((db) =>
        db
          .selectFrom('discoveries')
          .select(['id', 'follows'])
          .where('user_id', '=', user)
          .where('project', '=', project)
          .where('follows', 'in', [...ids])
          .orderBy('created_at')
          .execute(),
      )
      return new Map(rows.map(({ id, follows }) => [follows ?? '', id]))
    },

    async list(
      { user, project },
      { type, module, session, withArchived, since, limit, offset = 0 },
    ) {
      return database.use(async (db) => {
        let mine = db
          .selectFrom('discoveries')
          .where('user_id', '=', user)
          .where('project', '=', project)
        if (type) mine = mine.where('type', '=', type)
        if (module) mine = mine.where('module', '=', module)
        if (session) mine = mine.where('session', '=', session)
        if (since) mine = mine.where('created_at', '>=', since)
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
