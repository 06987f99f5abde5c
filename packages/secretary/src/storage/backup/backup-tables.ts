import type { Tables } from '../tables.ts'

export type TableName = keyof Tables

/** Every table by its key, so that a new one cannot be forgotten; a table stands after those that it refers to. */
export const KEYS: { readonly [T in TableName]: readonly (keyof Tables[T] & string)[] } = {
  spaces: ['id'],
  space_members: ['space_id', 'user_id'],
  space_invitations: ['space_id', 'user_id'],
  tasks: ['id'],
  task_requests: ['task_id'],
  pins: ['id'],
  discoveries: ['id'],
  shared_requests: ['space_id', 'user_id', 'session_id', 'position'],
  request_sharing: ['user_id', 'project', 'space_id'],
  unshared_dialogs: ['user_id', 'session_id', 'space_id'],
  conversations: ['id'],
  messages: ['id'],
  tokens: ['id'],
  browser_sessions: ['hash'],
  sign_in_codes: ['hash'],
  audit_log: ['id'],
  space_documents: ['space_id', 'path'],
  shared_documents: ['path'],
  shared_versions: ['name'],
  guide_projects: ['key'],
  guide_selections: ['project', 'kind', 'name'],
  guide_profiles: ['project', 'name'],
  guide_flags: ['scope', 'name'],
  calls: ['id'],
  call_days: ['day', 'user_id', 'agent', 'project', 'tool'],
  tool_tallies: ['tool', 'user_id', 'hour', 'key', 'replica'],
  file_accesses: ['user_id', 'project', 'path'],
  context_sessions: ['user_id', 'project', 'id'],
  dialogs: ['owner', 'key'],
  sync_segments: ['user_id', 'machine', 'generation', 'sequence'],
}
export const TABLES = Object.keys(KEYS) as TableName[]

/**
 * What every database has, or a server notes by itself as soon as it runs: one with nothing else in it counts as empty.
 * The space of everybody is there from the beginning; one that a person made has members.
 */
export const NOTED: ReadonlySet<TableName> = new Set<TableName>([
  'spaces',
  'shared_versions',
  'browser_sessions',
  'sign_in_codes',
  'calls',
  'call_days',
  'tool_tallies',
  'file_accesses',
  'context_sessions',
  'dialogs',
])

/** Ids that the database itself gives. */
export const NUMBERED: readonly TableName[] = ['tasks', 'messages', 'audit_log', 'calls']

export type Row = Readonly<Record<string, string | number | null>>

/** A backup is gzipped JSON, a line each: this one, then `[table, row]` for every row, then the number of rows. */
export interface BackupHead {
  readonly secretary: 'backup'
  readonly format: 1
  readonly version: string
  readonly createdAt: string
  /** The last change to the schema that the rows fit. */
  readonly schema: string
}

export interface BackupEnd {
  readonly rows: number
}
