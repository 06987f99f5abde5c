import type { ColumnType, Generated } from 'kysely'

/** Times are ISO 8601 text on both engines: they sort as they read. */
export interface Tables {
  tasks: TaskTable
  tokens: TokenTable
  tool_tallies: TallyTable
}

interface TaskTable {
  id: Generated<number>
  user_id: string
  title: string
  description: string | null
  /** 0 or 1: SQLite has no booleans, and one type serves both engines. */
  completed: ColumnType<number, number | undefined, number>
  created_at: string
  updated_at: string | null
}

interface TokenTable {
  id: string
  user_id: string
  label: string
  /** SHA-256 of the token; the token itself is shown once and never kept. */
  hash: string
  created_at: string
  expires_at: string
  revoked_at: string | null
}

interface TallyTable {
  tool: string
  hour: string
  key: string
  count: number
}
