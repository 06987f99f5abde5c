import { redactIn } from '@secretary-mcp/core/redact.ts'
import type { GuideStore } from '../guide-store.ts'
import type { Database } from '../../storage/database.ts'

/** One statement that also compares: whoever writes at the same moment is noticed, not overwritten. */
export function createFlagSwap(database: Database): GuideStore['swapFlag'] {
  return async (scope, name, { before, after }, now) => {
    const value = after === null ? undefined : JSON.stringify(redactIn(after))
    const written = await database.use(async (db) => {
      if (before === null) {
        if (value === undefined) return undefined
        return db
          .insertInto('guide_flags')
          .values({ scope, name, value, updated_at: now })
          .onConflict((conflict) => conflict.columns(['scope', 'name']).doNothing())
          .returning('name')
          .executeTakeFirst()
      }
      const seen = JSON.stringify(before)
      if (value === undefined)
        return db
          .deleteFrom('guide_flags')
          .where('scope', '=', scope)
          .where('name', '=', name)
          .where('value', '=', seen)
          .returning('name')
          .executeTakeFirst()
      return db
        .updateTable('guide_flags')
        .set({ value, updated_at: now })
        .where('scope', '=', scope)
        .where('name', '=', name)
        .where('value', '=', seen)
        .returning('name')
        .executeTakeFirst()
    })
    return written !== undefined
  }
}
