import type { MetricsStore } from '../../core/metrics.ts'
import type { Database } from '../database.ts'

export function createMetricsStore(database: Database): MetricsStore {
  return {
    async add(tallies) {
      await database.use((db) =>
        db
          .insertInto('tool_tallies')
          .values([...tallies])
          .onConflict((conflict) =>
            conflict.columns(['tool', 'hour', 'key']).doUpdateSet((e) => ({
              count: e('tool_tallies.count', '+', e.ref('excluded.count')),
            })),
          )
          .execute(),
      )
    },

    async since(hour) {
      const rows = await database.use((db) =>
        db.selectFrom('tool_tallies').selectAll().where('hour', '>=', hour).execute(),
      )
      return rows.map((row) => ({ ...row, count: Number(row.count) }))
    },
  }
}
