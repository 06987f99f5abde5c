import * as z from 'zod'
import type { TaskFacets } from '../../tasks/task-store.ts'
import type { Database } from '../database.ts'
import { storedJson } from '../stored-json.ts'

const MOST = 200
const texts = z.array(z.string())

/** Labels and projects that a user's tasks have, for whoever chooses among them. */
export function taskFacets(database: Database, user: string): Promise<TaskFacets> {
  return database.use(async (db) => {
    const labelled = await db
      .selectFrom('tasks')
      .select('labels')
      .distinct()
      .where('user_id', '=', user)
      .where('labels', 'is not', null)
      .limit(MOST)
      .execute()
    const placed = await db
      .selectFrom('tasks')
      .select('project')
      .distinct()
      .where('user_id', '=', user)
      .where('project', 'is not', null)
      .limit(MOST)
      .execute()
    const labels = labelled.flatMap(({ labels }) => storedJson(labels ?? '[]', texts) ?? [])
    return {
      labels: [...new Set(labels)].sort(),
      projects: placed.flatMap(({ project }) => project ?? []).sort(),
    }
  })
}
