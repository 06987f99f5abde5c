import type { StatementSyncInstance } from '@photostructure/sqlite'

/** The rows of a statement in the form that its text gives them: the driver cannot know it. */
export function rowsOf<T>(
  statement: StatementSyncInstance,
  ...parameters: Parameters<StatementSyncInstance['all']>
): T[] {
  const rows: unknown = statement.all(...parameters)
  return rows as T[]
}
