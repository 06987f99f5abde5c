import type { Kysely } from 'kysely'
import { inSpaceOf } from '../../spaces/store/space-filters.ts'
import type { Tables } from '../../storage/tables.ts'

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
