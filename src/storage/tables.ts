import type { ColumnType, Generated } from 'kysely'

/** Times are ISO 8601 text on both engines: they sort as they read. */
export interface Tables {
  tasks: TaskTable
  tokens: TokenTable
  tool_tallies: TallyTable
  discoveries: DiscoveryTable
  file_accesses: FileAccessTable
  context_sessions: ContextSessionTable
  dialog_cursors: DialogCursorTable
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

interface DiscoveryTable {
  id: string
  user_id: string
  project: string
  type: string
  content: string
  module: string | null
  session: string | null
  origin: string
  confidence: number
  created_at: string
  /** JSON list of `{path, hash}`. */
  files: string
  access_count: Generated<number>
  last_access_at: string | null
  archived: Generated<number>
}

interface FileAccessTable {
  user_id: string
  project: string
  path: string
  count: number
  first_access_at: string
  last_access_at: string
}

interface ContextSessionTable {
  user_id: string
  project: string
  id: string
  client: string | null
  started_at: string
  last_active_at: string
  ended_at: string | null
  calls: number
  /** JSON list of texts. */
  topics: string
  /** JSON list of `{path, count, first, last}`. */
  files: string
}

interface DialogCursorTable {
  user_id: string
  project: string
  /** Milliseconds; bigint columns come back as text from PostgreSQL. */
  read_until: ColumnType<number | string, number, number>
}
