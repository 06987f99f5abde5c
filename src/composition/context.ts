import { Context } from '../context/context.ts'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/log.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import type { Database } from '../storage/database.ts'
import { createAccessStore } from '../storage/stores/access-store.ts'
import { createDiscoveryStore } from '../storage/stores/discovery-store.ts'
import { SearchEngines } from './search-engines.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly dialogs: Pick<Dialogs, 'turnsOfProject'>
}

/** The context family over this machine's search engines; dialogs lend it their turns. */
export function createContext({ config, database, log, dialogs }: Parts): { context: Context; close(): Promise<void> } {
  const engines = new SearchEngines(config, log)
  const context = new Context({
    accesses: createAccessStore(database),
    discoveries: createDiscoveryStore(database),
    engineOf: (project) => engines.of(project),
    turns: (caller, since, signal) => dialogs.turnsOfProject(caller, since, signal),
    log,
  })
  return {
    context,
    async close() {
      await context.close()
      await engines.close()
    },
  }
}
