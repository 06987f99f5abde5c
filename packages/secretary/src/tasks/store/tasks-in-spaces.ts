import type { Transaction } from 'kysely'
import { inSpaceOf, spaceName } from '../../spaces/store/space-filters.ts'
import { recordAudit } from '../../spaces/store/space-store.ts'
import type { Database } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ChangesOf, PlannedTask, SeenTask, TaskStore } from '../task.ts'
import { COLUMNS, columnsOf, readableTask, taskOf } from './task-row.ts'

interface Change {
  readonly user: string
  readonly id: number
  readonly now: string
}

/** Changes a task that is shared, where the user may, and writes down that they did. */
export function changeSharedTask(
  database: Database,
  { user, id, now }: Change,
  columns: ReturnType<typeof columnsOf>,
  action: 'complete' | 'update',
): Promise<PlannedTask | undefined> {
  return database.use((db) =>
    db.transaction().execute(async (trx) => {
      let wanted = trx
        .updateTable('tasks')
        .set({ ...columns, updated_at: now })
        .where('id', '=', id)
        .where('space_id', 'is not', null)
        .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'contribute')]))
      if (action === 'complete') wanted = wanted.where('completed', '=', 0)
      const changed = await wanted.returning('space_id').executeTakeFirst()
      if (!changed?.space_id) return undefined
      const text = action === 'complete' ? '' : Object.keys(columns).join(', ')
      await audit(trx, { user, id, now }, changed.space_id, action, text)
      return taskIn(trx, user, id)
    }),
  )
}

/** Changes a task by what it says while nobody else can change it. */
export function changeHeldTask(
  database: Database,
  change: Change,
  changesOf: ChangesOf,
): Promise<PlannedTask | undefined> {
  const { user, id, now } = change
  return database.use((db) =>
    db.transaction().execute(async (trx) => {
      // A change that changes nothing holds the row until the transaction ends.
      const held = await trx
        .updateTable('tasks')
        .set((e) => ({ space_id: e.ref('space_id') }))
        .where('id', '=', id)
        .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'contribute')]))
        .returning('space_id')
        .executeTakeFirst()
      const task = held && (await taskIn(trx, user, id))
      if (!task) return undefined
      const columns = columnsOf(changesOf(task))
      await trx
        .updateTable('tasks')
        .set({ ...columns, updated_at: now })
        .where('id', '=', id)
        .execute()
      if (held.space_id)
        await audit(trx, change, held.space_id, 'update', Object.keys(columns).join(', '))
      return taskIn(trx, user, id)
    }),
  )
}

/** A shared task goes by its owner's word, or by that of an operator of the space. */
export function removeSharedTask(
  database: Database,
  change: Change,
  asOperator: boolean,
  seen?: SeenTask,
): Promise<boolean> {
  return database.use((db) =>
    db.transaction().execute(async (trx) => {
      const space = await managedSpace(trx, change, asOperator)
      if (!space) return false
      if (seen) {
        const now = await taskIn(trx, change.user, change.id)
        if ((now?.updated_at ?? null) !== seen.updatedAt) return false
      }
      await trx.deleteFrom('tasks').where('id', '=', change.id).execute()
      await audit(trx, change, space, 'delete')
      return true
    }),
  )
}

/** Sharing a task with another space takes it back from the one before. */
export function createTaskSharing(database: Database): Pick<TaskStore, 'share' | 'takeBack'> {
  return {
    share: (user, id, space, now) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const change = { user, id, now }
          const own = await trx
            .selectFrom('tasks')
            .select('space_id')
            .where('user_id', '=', user)
            .where('id', '=', id)
            .executeTakeFirst()
          if (!own) return undefined
          await trx.updateTable('tasks').set({ space_id: space }).where('id', '=', id).execute()
          if (own.space_id !== space) {
            if (own.space_id) await audit(trx, change, own.space_id, 'unshare')
            await audit(trx, change, space, 'share')
          }
          return taskIn(trx, user, id)
        }),
      ),

    takeBack: (user, id, now, asOperator) =>
      database.use((db) =>
        db.transaction().execute(async (trx) => {
          const change = { user, id, now }
          const space = await managedSpace(trx, change, asOperator)
          if (!space) return false
          await trx.updateTable('tasks').set({ space_id: null }).where('id', '=', id).execute()
          await audit(trx, change, space, 'unshare')
          return true
        }),
      ),
  }
}

async function managedSpace(
  trx: Transaction<Tables>,
  { user, id }: Change,
  asOperator: boolean,
): Promise<string | undefined> {
  // A change that changes nothing holds the row until the transaction ends.
  const held = await trx
    .updateTable('tasks')
    .set((e) => ({ space_id: e.ref('space_id') }))
    .where('id', '=', id)
    .where('space_id', 'is not', null)
    .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'manage', asOperator)]))
    .returning('space_id')
    .executeTakeFirst()
  return held?.space_id ?? undefined
}

async function taskIn(trx: Transaction<Tables>, user: string, id: number) {
  const row = await readableTask(trx, user, id).select(COLUMNS).select(spaceName).executeTakeFirst()
  return row && taskOf(row)
}

function audit(
  trx: Transaction<Tables>,
  { user, id, now: at }: Change,
  space: string,
  action: SharedAction,
  text = '',
): Promise<void> {
  const subject = { kind: 'task', id: String(id) } as const
  return recordAudit(trx, { at, user, space, action, subject, text })
}

type SharedAction = 'share' | 'unshare' | 'complete' | 'update' | 'delete'
