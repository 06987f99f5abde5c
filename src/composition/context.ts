import { Context } from '../context/context.ts'
import type { Config } from '../core/config/config.ts'
import type { Log } from '../core/log.ts'
import type { Reminders } from '../core/reminders.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { guideFamily } from '../guide/family.ts'
import type { Guide } from '../guide/guide.ts'
import { RuleReminders } from '../guide/rule-reminders.ts'
import type { Database } from '../storage/database.ts'
import { createAccessStore } from '../storage/stores/access-store.ts'
import { createDiscoveryStore } from '../storage/stores/discovery-store.ts'
import { SearchEngines } from './search-engines.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly dialogs: Pick<Dialogs, 'turnsOfProject' | 'goneOfProject'>
  readonly guide: Guide
  readonly reminders: Reminders
}

/** The context family over this machine's search engines; dialogs lend it their turns. */
export function createContext({ config, database, log, dialogs, guide, reminders }: Parts): {
  context: Context
  close(): Promise<void>
} {
  const engines = new SearchEngines(config, log)
  const rules = new RuleReminders({
    reminders,
    open: (caller) => guide.open(caller),
    getContent: guideFamily.finalName('get_content', config.toolPrefix),
    failed: (err) => log.warn({ err }, 'the rules for a file could not be looked up'),
  })
  const context = new Context({
    accesses: createAccessStore(database),
    discoveries: createDiscoveryStore(database),
    engineOf: (project) => engines.of(project),
    reopenEngine: (project) => engines.reopen(project),
    indexesCode: config.backgroundIndex === 'on',
    dialogs: {
      turns: (caller, since, signal) => dialogs.turnsOfProject(caller, since, signal),
      gone: (caller, since, signal) => dialogs.goneOfProject(caller, since, signal),
    },
    fileRead: (caller, path) => rules.fileRead(caller, path),
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
