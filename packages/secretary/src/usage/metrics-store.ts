import type { MetricsStore } from '@secretary-mcp/core/metrics.ts'
import type { Database } from '../storage/database.ts'

/** Counts of this server are its own rows; whoever reads gets those of all, or of one. */
export function createMetricsStore(database: Database, replica = ''): MetricsStore {
  return {
    async add(tallies) {
      await database.use((db) =>
        db
          .insertInto('tool_tallies')
          .values(tallies.map(({ user, ...tally }) => ({ ...tally, user_id: user, replica })))
          .onConflict((conflict) =>
            conflict.columns(['tool', 'user_id', 'hour', 'key', 'replica']).doUpdateSet((e) => ({
              count: e('tool_tallies.count', '+', e.ref('excluded.count')),
            })),
          )
          .execute(),
      )
    },

    async since(hour, { user, replica: of } = {}) {
      const rows = await database.use((db) =>
        db
          .selectFrom('tool_tallies')
          .selectAll()
          .where('hour', '>=', hour)
          .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? ''))
          .$if(of !== undefined, (query) => query.where('replica', '=', of ?? ''))
          .execute(),
      )
      return rows.map(({ user_id, count, ...row }) => ({
        ...row,
        user: user_id,
        count: Number(count),
      }))
    },
  }
}
