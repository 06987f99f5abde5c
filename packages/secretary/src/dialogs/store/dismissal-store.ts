import type { Database } from '../../storage/database.ts'

const MAX_DISMISSALS = 2_000

/** What a person no longer wants to see among the things that need them, by a name such as `failing orchard 3` or `task 12`. */
export interface DismissalStore {
  dismiss(user: string, need: string): Promise<void>
  restore(user: string, need: string): Promise<void>
  list(user: string): Promise<ReadonlySet<string>>
}

export function createDismissalStore(database: Database): DismissalStore {
  return {
    async dismiss(user, need) {
      const row = { user_id: user, need, dismissed_at: Date.now() }
      await database.use((db) =>
        db
          .insertInto('dismissals')
          .values(row)
          .onConflict((conflict) => conflict.columns(['user_id', 'need']).doNothing())
          .execute(),
      )
    },

    async restore(user, need) {
      await database.use((db) =>
        db.deleteFrom('dismissals').where('user_id', '=', user).where('need', '=', need).execute(),
      )
    },

    async list(user) {
      const rows = await database.use((db) =>
        db
          .selectFrom('dismissals')
          .select('need')
          .where('user_id', '=', user)
          .orderBy('dismissed_at', 'desc')
          .limit(MAX_DISMISSALS)
          .execute(),
      )
      return new Set(rows.map(({ need }) => need))
    },
  }
}
