import { join } from 'node:path'
import type { Changes } from '@secretary-mcp/core/changes.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import { Guide } from '../guide/guide.ts'
import { createGuideStore } from '../guide/store/guide-store.ts'
import { createSpaceDocumentStore } from '../guide/store/space-document-store.ts'
import type { Spaces } from '../spaces/spaces.ts'
import type { Database } from '../storage/database.ts'
import type { Tasks } from '../tasks/tasks.ts'

const MOST_OPEN_TASKS = 100

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly changes: Changes
  readonly tasks: Tasks
  readonly spaces: Spaces
}

/** The person's documents over the shipped ones, and what each project has stored about them. */
export function createGuide({ config, database, changes, tasks, spaces }: Parts): Guide {
  return new Guide({
    store: createGuideStore(database),
    changes,
    openTasks: async (user) =>
      (await tasks.list(user, { completed: false, limit: MOST_OPEN_TASKS, offset: 0 })).tasks,
    shipped: join(packageRoot(), 'docroot'),
    home: config.home,
    docroot: config.docroot,
    spaceDocuments: createSpaceDocumentStore(database),
    spaces,
  })
}
