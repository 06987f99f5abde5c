import * as z from 'zod'
import type { TaskFacets } from '../task-store.ts'
import type { Database } from '../../storage/database.ts'
import { storedJson } from '../../storage/stored-json.ts'
import { readableTasks } from './readable-tasks.ts'

const MOST = 200
const texts = z.array(z.string())

/** Labels and projects that the tasks have which a user may read, for whoever chooses among them. */
export function taskFacets(database: Database, user: string): Promise<TaskFacets> {
  return database.use(async (db) => {
    const labelled = await readableTasks(db, user)
      .select('labels')
      .distinct()
      .where('labels', 'is not', null)
      .limit(MOST)
      .execute()
    const placed = await readableTasks(db, user)
      .select('project')
      .distinct()
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
