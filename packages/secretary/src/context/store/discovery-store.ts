import { spaceName } from '../../spaces/store/space-filters.ts'
import type { Database } from '../../storage/database.ts'
import type { DiscoveryStore } from '../discoveries/discovery.ts'
import { discoveryOf, isInState, isOwn, isReadable, mayBeRead } from './discovery-row.ts'

export function createDiscoveryStore(database: Database): DiscoveryStore {
  return {
    async record(owner, discovery) {
      const { oneAtATime, recordDiscovery } = await import('./record-discovery.ts')
      return database.use((db) =>
        oneAtATime(db, database.engine, owner, (trx) => recordDiscovery(trx, owner, discovery)),
      )
    },

    async suggest(owner, session, discoveries) {
      const { oneAtATime, suggestDiscoveries } = await import('./record-discovery.ts')
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
        const counted = wanted.isUncounted
          ? undefined
          : await mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
        const rows = await mine
          .selectAll()
          .select(spaceName)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute()
        return { discoveries: rows.map(discoveryOf), total: Number(counted?.total ?? rows.length) }
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
