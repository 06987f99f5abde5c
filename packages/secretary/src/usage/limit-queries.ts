import type { LimitQueries } from '@secretary-mcp/core/limits.ts'
import type { Database } from '../storage/database.ts'

/** The limiter's own statements over our connections. */
export function createLimitQueries(database: Database): LimitQueries {
  return {
    async query({ text, values }) {
      const { CompiledQuery } = await import('kysely')
      const { rows, numAffectedRows } = await database.use((db) =>
        db.executeQuery(CompiledQuery.raw(text, [...values])),
      )
      return { rows, rowCount: rows.length || Number(numAffectedRows ?? 0) }
    },
  }
}
