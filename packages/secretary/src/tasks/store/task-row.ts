import { redact } from '@secretary-mcp/core/redact.ts'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { inSpaceOf } from '../../spaces/store/space-filters.ts'
import { storedJson } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { PlannedTask, TaskChanges } from '../task.ts'

export const COLUMNS = [
  'id',
  'title',
  'description',
  'completed',
  'created_at',
  'updated_at',
  'project',
  'state',
  'priority',
  'labels',
  'files',
  'position',
  'user_id',
] as const

interface TaskRow {
  id: number
  title: string
  description: string | null
  completed: number
  created_at: string
  updated_at: string | null
  project: string | null
  state: string | null
  priority: string | null
  labels: string | null
  files: string | null
  position: number | null
  user_id?: string
  /** Name of the space that it is shared with. */
  space?: string | null
}

const texts = z.array(z.string())

/** What is not set is absent, so that a plain task has the plain shape. */
export function taskOf(row: TaskRow): PlannedTask {
  const { id, title, description, completed, created_at, updated_at } = row
  const isDone = completed === 1
  const { state, priority } = row
  return {
    id,
    title,
    description,
    completed: isDone,
    created_at,
    ...(updated_at === null ? {} : { updated_at }),
    ...(!isDone && (state === 'doing' || state === 'blocked') ? { state } : {}),
    ...(priority === 'high' || priority === 'low' ? { priority } : {}),
    ...(row.labels === null ? {} : { labels: storedJson(row.labels, texts) ?? [] }),
    ...(row.files === null ? {} : { files: storedJson(row.files, texts) ?? [] }),
    ...(row.project === null ? {} : { project: row.project }),
    ...(row.position === null ? {} : { position: row.position }),
    ...(row.space ? { space: row.space, ...(row.user_id ? { owner: row.user_id } : {}) } : {}),
  }
}

/** The columns that a change sets. A task is done by its state as well as by `completed`, and the two never differ. */
export function columnsOf(changes: TaskChanges) {
  const { title, description, completed, state, priority, labels, files, position } = changes
  const isDone = completed ?? (state === undefined ? undefined : state === 'done')
  const kept = state === 'doing' || state === 'blocked' ? state : null
  return {
    ...(title === undefined ? {} : { title: redact(title) }),
    ...(description === undefined ? {} : { description: redact(description) }),
    ...(isDone === undefined ? {} : { completed: Number(isDone) }),
    ...(state === undefined && completed !== true ? {} : { state: isDone ? null : kept }),
    ...(priority === undefined ? {} : { priority: priority === 'normal' ? null : priority }),
    ...(labels === undefined ? {} : { labels: listed(labels) }),
    ...(files === undefined ? {} : { files: listed(files) }),
    ...(position === undefined ? {} : { position }),
  }
}

function listed(items: readonly string[]): string | null {
  return items.length === 0 ? null : JSON.stringify([...new Set(items)].map(redact))
}

/** A user's own tasks, and those that are shared with them: apart, since no index serves both at once. */
export function readableTasks(db: Kysely<Tables>, user: string) {
  const ids = db.selectFrom('tasks').select('tasks.id')
  const own = ids.where('user_id', '=', user)
  const shared = ids.where((e) => inSpaceOf(e, user, 'read'))
  return db.selectFrom('tasks').where('id', 'in', own.unionAll(shared))
}

/** One of them. */
export function readableTask(db: Kysely<Tables>, user: string, id: number) {
  return db
    .selectFrom('tasks')
    .where('id', '=', id)
    .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'read')]))
}
