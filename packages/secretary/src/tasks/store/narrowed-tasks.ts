import { namesOfProject } from '@secretary-mcp/core/files/repository.ts'
import { sql } from 'kysely'
import { spaceName } from '../../spaces/store/space-filters.ts'
import type { Database } from '../../storage/database.ts'
import type { PlannedTask, TaskFilter } from '../task.ts'
import { COLUMNS, readableTasks, taskOf } from './task-row.ts'

/** By anything but the status alone, oldest first; who searches sees the newest first, whoever sorts their own order. */
export async function narrowedTasks(
  database: Database,
  user: string,
  { completed, state, label, project, text = '', sort, limit, offset }: TaskFilter,
): Promise<{ tasks: PlannedTask[]; total: number }> {
  return database.use(async (db) => {
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
    const { total } = await mine
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
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
    return { tasks: rows.map(taskOf), total: Number(total) }
  })
}

function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
