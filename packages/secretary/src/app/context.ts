import { Context } from '../context/context.ts'
import type { FedTurn } from '../context/discoveries/turns.ts'
import type { PackPorts } from '../context/pack/pack-types.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Reminders } from '@secretary-mcp/core/reminders.ts'
import type { Turn } from '@secretary-mcp/transcripts/dialog.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { namedProject } from '../dialogs/sharing/project-name.ts'
import type { SharedRequestStore } from '../dialogs/sharing/sharing-store.ts'
import { guideFamily } from '../guide/family.ts'
import type { Guide } from '../guide/guide.ts'
import { RuleReminders } from '../guide/rule-reminders.ts'
import type { Spaces } from '../spaces/spaces.ts'
import type { Database } from '../storage/database.ts'
import { createAccessStore } from '../context/store/access-store.ts'
import { createDiscoveryStore } from '../context/store/discovery-store.ts'
import { SearchEngines } from './search-engines.ts'
import { createSpaceNotes } from './space-notes.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly dialogs: Pick<
    Dialogs,
    'latestChange' | 'turnsOfProject' | 'goneOfProject' | 'unreadFor' | 'recall' | 'deeds'
  >
  readonly guide: Guide
  readonly reminders: Reminders
  readonly spaces: Spaces
  readonly shared: SharedRequestStore
}

/** The context family over this machine's search engines; dialogs lend it their turns. */
export function createContext({
  config,
  database,
  log,
  dialogs,
  guide,
  reminders,
  spaces,
  shared,
}: Parts): {
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
    hasOthers: database.engine === 'postgres',
    dialogs: {
      latest: (caller, signal) => dialogs.latestChange(caller, signal),
      turns: (caller, since, signal, isRead) =>
        typedTurns(dialogs.turnsOfProject(caller, since, signal, isRead)),
      isReading: (caller) => dialogs.unreadFor(caller).note !== undefined,
      gone: (caller, since, signal) => dialogs.goneOfProject(caller, since, signal),
    },
    fileRead: (caller, path) => rules.fileRead(caller, path),
    pack: packPorts(dialogs, guide),
    spaces,
    requests: {
      versions: (ids) => shared.versions(ids),
      ofSpace: ({ user, project }, space) =>
        shared.ofSpace(user, space, namedProject(project).repository),
      find: ({ user }, names) => shared.find(user, names),
    },
    spaceNotes: createSpaceNotes(database, log),
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

async function* typedTurns(turns: AsyncIterable<Turn>): AsyncGenerator<FedTurn> {
  for await (const turn of turns) yield { ...turn, typed: turn.typed ?? '' }
}

/** The ways in which projects are built and checked, in the words that `how` knows. */
const COMMANDS = ['test', 'build', 'lint']
const COMMANDS_OF_A_KIND = 2

function packPorts(dialogs: Parts['dialogs'], guide: Guide): PackPorts {
  return {
    async rules(caller, limit) {
      const { rules } = await guide.rulesInForce(caller, limit)
      return rules.map(({ title, line, uri }) => ({
        text: [title, line, uri].filter(Boolean).join(' · '),
        only: /^guide:\/\/(?:lang|framework)\/([\w-]+)/.exec(uri)?.[1],
      }))
    },
    async wishes(caller, signal) {
      const { value } = await dialogs.recall(caller, { budget: 4_000 }, signal)
      return [
        ...(value?.pinned ?? []).map((text) => ({ text, isPinned: true })),
        ...(value?.standing ?? []).map((text) => ({ text })),
      ]
    },
    async commands(caller, signal) {
      const found = await Promise.all(
        COMMANDS.map((what) => dialogs.deeds.how(caller, what, signal)),
      )
      return found.flatMap(({ value }) => value?.commands.slice(0, COMMANDS_OF_A_KIND) ?? [])
    },
  }
}
