import { namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import { inSpaceOf, spaceName } from '../../spaces/store/space-filters.ts'
import { recordAudit } from '../../spaces/store/space-store.ts'
import { compiledOnce, type Database, storedJson, totalOf } from '../../storage/database.ts'
import type { Tables } from '../../storage/tables.ts'
import type {
  ChangesOf,
  PlannedTask,
  SeenTask,
  TaskChanges,
  TaskFacets,
  TaskFilter,
  TaskStore,
} from '../task.ts'

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

const MAX = 200

interface PageFilter {
  readonly user: string
  readonly completed: number
  readonly limit: number
  readonly offset: number
}

const pageOfAll = compiledOnce((db, { user, limit, offset }: PageFilter) => {
  const { own, others } = pagesOf(db, user)
  const page = own.unionAll(others).orderBy('id').limit(limit).offset(offset)
  return counted(db, page, readableTasks(db, user))
})
const pageOfSome = compiledOnce((db, { user, completed, limit, offset }: PageFilter) => {
  const { own, others } = pagesOf(db, user)
  const page = own
    .where('completed', '=', completed)
    .unionAll(others.where('completed', '=', completed))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
  return counted(db, page, readableTasks(db, user).where('completed', '=', completed))
})

/** Apart, since each has an index that is in order already: a page of many does not sort them all. */
function pagesOf(db: Kysely<Tables>, user: string) {
  const all = db.selectFrom('tasks').select(COLUMNS).select(spaceName)
  return {
    own: all.where('user_id', '=', user),
    others: all.where('user_id', '!=', user).where((e) => inSpaceOf(e, user, 'read')),
  }
}

/** With how many there are, in one statement: where many call at once, each one waits its turn. */
function counted(
  db: Kysely<Tables>,
  page: ReturnType<typeof pagesOf>['own'],
  all: ReturnType<typeof readableTasks>,
) {
  const total = all.select((e) => e.fn.countAll<number>().as('total'))
  return db.selectFrom(page.as('page')).selectAll('page').select(total.as('total')).orderBy('id')
}

export function createTaskStore(database: Database): TaskStore {
  return {
    async add(user, { project, ...task }, now) {
      const { title = '', ...columns } = columnsOf(task)
      const row = {
        user_id: user,
        title,
        description: null,
        completed: 0,
        ...columns,
        created_at: now,
        project: project ?? null,
      }
      return taskOf(
        await database.use((db) =>
          db.insertInto('tasks').values(row).returning(COLUMNS).executeTakeFirstOrThrow(),
        ),
      )
    },

    async list(user, wanted) {
      const { completed, limit, offset, sort, state, label, project, text } = wanted
      if (sort === 'order' || [state, label, project, text].some((one) => one !== undefined))
        return narrowedTasks(database, user, wanted)
      const filter = { user, completed: Number(completed), limit, offset }
      return database.use(async (db) => {
        const page = completed === undefined ? pageOfAll : pageOfSome
        const rows = await page(db, filter)
        const [first] = rows
        if (first || (offset === 0 && limit > 0))
          return { tasks: rows.map(taskOf), total: Number(first?.total ?? 0) }
        // Beyond the last one nothing tells how many there are.
        let mine = readableTasks(db, user)
        if (completed !== undefined) mine = mine.where('completed', '=', filter.completed)
        const { total } = await mine
          .select((e) => e.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        return { tasks: [], total: Number(total) }
      })
    },

    async find(user, id) {
      const row = await database.use((db) =>
        readableTask(db, user, id).select(COLUMNS).select(spaceName).executeTakeFirst(),
      )
      return row && taskOf(row)
    },

    facets: (user) => taskFacets(database, user),

    async complete(user, id, now) {
      const done = { completed: 1, state: null }
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ ...done, updated_at: now })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('space_id', 'is', null)
          .where('completed', '=', 0)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      if (row) return taskOf(row)
      return changeSharedTask(database, { user, id, now }, done, 'complete')
    },

    async update(user, id, changes, now) {
      if (typeof changes === 'function') {
        return changeHeldTask(database, { user, id, now }, changes)
      }
      const columns = columnsOf(changes)
      const row = await database.use((db) =>
        db
          .updateTable('tasks')
          .set({ ...columns, updated_at: now })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('space_id', 'is', null)
          .returning(COLUMNS)
          .executeTakeFirst(),
      )
      if (row) return taskOf(row)
      return changeSharedTask(database, { user, id, now }, columns, 'update')
    },

    async remove(user, id, now, asOperator, seen) {
      const { numDeletedRows } = await database.use((db) =>
        db
          .deleteFrom('tasks')
          .where('user_id', '=', user)
          .where('id', '=', id)
          .where('space_id', 'is', null)
          .$if(seen !== undefined, (query) =>
            query.where('updated_at', 'is not distinct from', seen?.updatedAt ?? null),
          )
          .executeTakeFirst(),
      )
      if (numDeletedRows > 0n) return true
      return removeSharedTask(database, { user, id, now }, asOperator, seen)
    },

    async share(...given) {
      return createTaskSharing(database).share(...given)
    },

    async takeBack(...given) {
      return createTaskSharing(database).takeBack(...given)
    },
  }
}

const texts = z.array(z.string())

/** Labels and projects that the tasks have which a user may read, for whoever chooses among them. */
function taskFacets(database: Database, user: string): Promise<TaskFacets> {
  return database.use(async (db) => {
    const labelled = await readableTasks(db, user)
      .select('labels')
      .distinct()
      .where('labels', 'is not', null)
      .limit(MAX)
      .execute()
    const placed = await readableTasks(db, user)
      .select('project')
      .distinct()
      .where('project', 'is not', null)
      .limit(MAX)
      .execute()
    const labels = labelled.flatMap(({ labels }) => storedJson(labels ?? '[]', texts) ?? [])
    return {
      labels: [...new Set(labels)].sort(),
      projects: placed.flatMap(({ project }) => project ?? []).sort(),
    }
  })
}

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

/** What is not set is absent, so that a plain task has the plain shape. */
function taskOf(row: TaskRow): PlannedTask {
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
function columnsOf(changes: TaskChanges) {
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
function readableTasks(db: Kysely<Tables>, user: string) {
  const ids = db.selectFrom('tasks').select('tasks.id')
  const own = ids.where('user_id', '=', user)
  const shared = ids.where((e) => inSpaceOf(e, user, 'read'))
  return db.selectFrom('tasks').where('id', 'in', own.unionAll(shared))
}

/** One of them. */
function readableTask(db: Kysely<Tables>, user: string, id: number) {
  return db
    .selectFrom('tasks')
    .where('id', '=', id)
    .where((e) => e.or([e('user_id', '=', user), inSpaceOf(e, user, 'read')]))
}

interface Change {
  readonly user: string
  readonly id: number
  readonly now: string
}

/** Changes a task that is shared, where the user may, and writes down that they did. */
function changeSharedTask(
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
function changeHeldTask(
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
function removeSharedTask(
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
function createTaskSharing(database: Database): Pick<TaskStore, 'share' | 'takeBack'> {
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

/** By anything but the status alone, oldest first; who searches sees the newest first, whoever sorts their own order. */
async function narrowedTasks(
  database: Database,
  user: string,
  { completed, state, label, project, text = '', sort, limit, offset }: TaskFilter,
): Promise<{ tasks: PlannedTask[]; total: number }> {
  return database.use(async (db) => {
    // The query layer loads with the first question, not with the app.
    const { sql } = await import('kysely')
    let mine = readableTasks(db, user)
    if (completed !== undefined) mine = mine.where('completed', '=', Number(completed))
    if (state !== undefined) mine = mine.where('completed', '=', Number(state === 'done'))
    if (state === 'open') mine = mine.where('state', 'is', null)
    if (state === 'doing' || state === 'blocked') mine = mine.where('state', '=', state)
    if (project !== undefined) mine = mine.where('project', 'in', namesOfProject(project))
    if (label !== undefined)
      mine = mine.where(sql<boolean>`labels like ${like(JSON.stringify(label))} escape '\\'`)
    for (const word of text.toLowerCase().split(/\s+/).filter(Boolean))
      mine = mine.where(
        sql<boolean>`lower(title || ' ' || coalesce(description, '')) like ${like(word)} escape '\\'`,
      )
    const ordered =
      sort === 'order'
        ? mine.orderBy(sql`coalesce(position, -id)`).orderBy('id', 'desc')
        : mine.orderBy('id', text.trim() === '' ? 'asc' : 'desc')
    const rows = await ordered
      .select(COLUMNS)
      .select(spaceName)
      .limit(limit)
      .offset(offset)
      .execute()
    const total = await totalOf({ rows: rows.length, limit, offset }, () =>
      mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    )
    return { tasks: rows.map(taskOf), total }
  })
}

function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Which request of which dialog a task came from, with what a reader of the dialog wants to know of the task. */
interface RequestLink {
  readonly task_id: number
  readonly session_id: string
  readonly request_index: number
  readonly title: string
  readonly completed: boolean
}

interface LinkFilter {
  readonly sessionId?: string
  readonly limit: number
}

/** Kept apart from the tasks, whose shape the contract fixes. Every method sees the given user's tasks alone. */
export interface TaskRequests {
  /** Whether there was such a task. */
  link(user: string, taskId: number, sessionId: string, index: number): Promise<boolean>
  unlink(user: string, taskId: number): Promise<boolean>
  /** The newest tasks first. */
  list(user: string, filter: LinkFilter): Promise<RequestLink[]>
}

export function createTaskRequestStore(database: Database): TaskRequests {
  return {
    async link(user, taskId, sessionId, index) {
      const place = { session_id: sessionId, request_index: index }
      const row = await database.use((db) =>
        db
          .insertInto('task_requests')
          .columns(['task_id', 'session_id', 'request_index'])
          .expression((e) =>
            e
              .selectFrom('tasks')
              .select((t) => [
                t.ref('id').as('task_id'),
                t.cast<string>(t.val(sessionId), 'text').as('session_id'),
                t.cast<number>(t.val(index), 'integer').as('request_index'),
              ])
              .where('user_id', '=', user)
              .where('id', '=', taskId),
          )
          .onConflict((conflict) => conflict.column('task_id').doUpdateSet(place))
          .returning('task_id')
          .executeTakeFirst(),
      )
      return row !== undefined
    },

    async unlink(user, taskId) {
      const { numDeletedRows } = await database.use((db) =>
        db
          .deleteFrom('task_requests')
          .where(
            'task_id',
            'in',
            db
              .selectFrom('tasks')
              .select('id')
              .where('user_id', '=', user)
              .where('id', '=', taskId),
          )
          .executeTakeFirst(),
      )
      return numDeletedRows > 0n
    },

    async list(user, { sessionId, limit }) {
      const rows = await database.use((db) => {
        let mine = db
          .selectFrom('task_requests')
          .innerJoin('tasks', 'tasks.id', 'task_requests.task_id')
          .where('tasks.user_id', '=', user)
        if (sessionId !== undefined) mine = mine.where('task_requests.session_id', '=', sessionId)
        return mine
          .select(['task_id', 'session_id', 'request_index', 'title', 'completed'])
          .orderBy('task_id', 'desc')
          .limit(limit)
          .execute()
      })
      return rows.map(({ completed, task_id, ...row }) => ({
        task_id: Number(task_id),
        ...row,
        completed: completed === 1,
      }))
    },
  }
}
