import { nameOfProject } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { sql } from 'kysely'
import * as z from 'zod'
import { recordAudit } from '../../spaces/store/space-store.ts'
import { type Database, storedJson } from '../../storage/database.ts'
import { COLUMNS, createTaskStore } from '../../tasks/store/task-store.ts'
import type { Row, RowCarrier } from '../carriers.ts'

const text = z.string().nullable()
/** As a row has them; where it is shared stays with the database it is shared in. */
const schema = z.object({
  title: z.string(),
  description: text,
  completed: z.number(),
  created_at: z.string(),
  updated_at: text,
  project: text,
  state: text,
  priority: text,
  labels: text,
  files: text,
  position: z.number().nullable(),
})
type Values = z.output<typeof schema>

/** A user's own tasks, on their way between that user's machines. */
export function carriedTasks(database: Database, user: string, machine: string): RowCarrier {
  const own = (local?: string) =>
    database.use((db) => {
      const mine = db
        .selectFrom('tasks')
        .select([...COLUMNS, 'sync_id'])
        .where('user_id', '=', user)
        .orderBy('id')
      return (local === undefined ? mine : mine.where('id', '=', Number(local))).execute()
    })
  /** Written down, so that a machine that is set up again takes no task for another one. */
  const nameNew = () =>
    database.use((db) =>
      db
        .updateTable('tasks')
        .set((e) => ({ sync_id: sql<string>`${machine} || '/' || ${e.ref('id')}` }))
        .where('user_id', '=', user)
        .where('sync_id', 'is', null)
        .execute(),
    )
  const rowOf = ({
    id,
    sync_id,
    ...row
  }: Values & { id: number; sync_id: string | null }): Row => ({
    local: String(id),
    id: sync_id ?? '',
    values: clean({ ...row, project: row.project && nameOfProject(row.project) }),
    edition: row.updated_at ?? '',
    editedMs: Date.parse(row.updated_at ?? row.created_at),
  })
  return {
    type: 'task',
    fixed: ['created_at', 'project'],
    async rows() {
      await nameNew()
      return (await own()).map(rowOf)
    },
    find: async (local) => (await own(local)).map(rowOf)[0],

    async add(sync_id, given) {
      const { data } = schema.safeParse(given)
      if (!data) return undefined
      return database.use(async (db) => {
        await db
          .insertInto('tasks')
          .values({ ...clean(data), user_id: user, sync_id })
          .onConflict((conflict) => conflict.columns(['user_id', 'sync_id']).doNothing())
          .execute()
        const { id } = await db
          .selectFrom('tasks')
          .select('id')
          .where('user_id', '=', user)
          .where('sync_id', '=', sync_id)
          .executeTakeFirstOrThrow()
        return String(id)
      })
    },

    async change({ local, edition }, given) {
      const { data } = schema.safeParse(given)
      if (!data) return true
      const { created_at: _created, project: _project, ...columns } = clean(data)
      return database.use((db) =>
        db.transaction().execute(async (trx) => {
          const changed = await trx
            .updateTable('tasks')
            .set(columns)
            .where('user_id', '=', user)
            .where('id', '=', Number(local))
            .where((e) => e(e.fn.coalesce('updated_at', e.val('')), '=', edition))
            .returning('space_id')
            .executeTakeFirst()
          if (changed?.space_id)
            await recordAudit(trx, {
              ...{ at: new Date().toISOString(), user, space: changed.space_id, action: 'update' },
              ...{ subject: { kind: 'task', id: local }, text: 'by sync' },
            })
          return changed !== undefined
        }),
      )
    },

    async remove(local) {
      const now = new Date().toISOString()
      await createTaskStore(database).remove(user, Number(local), now, false)
    },
  }
}

/** What was stored before a rule against secrets was made may still hold one. */
function clean(values: Values): Values {
  const { title, description, labels, files } = values
  return {
    ...values,
    title: redact(title),
    description: description && redact(description),
    labels: cleanList(labels),
    files: cleanList(files),
  }
}

function cleanList(list: string | null): string | null {
  const items = list === null ? undefined : storedJson(list, z.array(z.string()))
  return items ? JSON.stringify(items.map(redact)) : null
}
