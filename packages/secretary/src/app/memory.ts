import { join } from 'node:path'
import { Boundary } from '@secretary-mcp/core/boundary.ts'
import { Calls } from '@secretary-mcp/core/calls.ts'
import { Changes } from '@secretary-mcp/core/changes.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { createLimits, type Limits, noLimits } from '@secretary-mcp/core/limits.ts'
import { createLog, type Log } from '@secretary-mcp/core/log.ts'
import { packageRoot } from '@secretary-mcp/core/package-root.ts'
import { Reminders } from '@secretary-mcp/core/reminders.ts'
import type { Caller, Services } from '@secretary-mcp/core/tool.ts'
import { noTracing, type Tracing } from '@secretary-mcp/core/tracing.ts'
import { within } from '@secretary-mcp/core/within-time.ts'
import type { Context } from '../context/context.ts'
import { contextFamily } from '../context/family.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { dialogsFamily } from '../dialogs/family.ts'
import type { RequestSharing } from '../dialogs/sharing/request-sharing.ts'
import { createSpaceDocumentStore } from '../guide/document-sharing.ts'
import { guideFamily } from '../guide/family.ts'
import { Guide } from '../guide/guide.ts'
import { createGuideStore } from '../guide/store/guide-store.ts'
import type { WatchedRules } from '../rules/watched-rules.ts'
import { Spaces } from '../spaces/spaces.ts'
import { createSpaceStore } from '../spaces/store/space-store.ts'
import type { Database } from '../storage/database.ts'
import { type DatabaseOptions, openDatabase } from '../storage/open-database.ts'
import { keepPrivate } from '../storage/private-home.ts'
import { tasksFamily } from '../tasks/family.ts'
import { createTaskStore } from '../tasks/store/task-store.ts'
import type { TaskStore } from '../tasks/task.ts'
import { Tasks } from '../tasks/tasks.ts'
import type { Telemetry } from '../telemetry/open-telemetry.ts'
import { createCallStore, createLimitQueries } from '../usage/call-store.ts'
import { version } from '../version.ts'
import { createContext } from './context.ts'
import { createLocalDialogs } from './dialogs.ts'

const MAX_OPEN_TASKS = 100

const CLOSE_PARTS_MS = 4_000
const CLOSE_DATABASE_MS = 3_000

/** The services of the four families, and the boundary around them: all that an agent's hook needs. */
export interface Memory {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly boundary: Boundary
  readonly changes: Changes
  readonly calls: Calls
  readonly limits: Limits
  readonly context: Context
  readonly dialogs: Dialogs
  readonly guide: Guide
  readonly tasks: Tasks
  readonly taskStore: TaskStore
  readonly spaces: Spaces
  readonly requestSharing: RequestSharing
  readonly services: Services
  readonly tracing: Tracing
  /** The local caller: stdio, the command line, loopback without tokens. */
  readonly localCaller: Caller
  /** Why the folder is not taken for a project, and the context family is not offered. */
  readonly noProject?: string
  /** The rules that are watched; loaded only by those who ask. */
  rules(): Promise<WatchedRules>
  /** Dialogs, documents and code are watched until it is closed. */
  watch(): void
  /** Ends what was begun, for a few seconds; `first` is what uses the database beside it. */
  close(first?: () => Promise<void>): Promise<void>
}

export interface MemoryOptions extends DatabaseOptions {
  /** How long a call waits for dialogs to be read. */
  readonly patienceMs?: number
  /** A server that others operate tells a collector what it does; a person's own commands never do. */
  readonly isObserved?: boolean
  /** What may be called; a hook calls none. */
  readonly tools?: ReadonlyMap<string, DecoratedTool>
  readonly moreServices?: Services
}

export async function createMemory(
  config: Config,
  log: Log = createLog(config.logLevel),
  {
    patienceMs,
    isObserved,
    tools = new Map(),
    moreServices = new Map(),
    ...options
  }: MemoryOptions = {},
): Promise<Memory> {
  keepPrivate(config.home)
  const telemetry = isObserved ? await createTelemetry(config, log) : undefined
  const tracing = telemetry ?? noTracing
  const database = openDatabase(config, log, { ...options, tracing: telemetry })
  const isShared = database.engine === 'postgres'
  const calls = new Calls(createCallStore(database, isShared ? config.replica : ''))
  const reminders = new Reminders()
  const changes = new Changes()
  const noProject = noProjectReason(config)
  const localCaller: Caller = { user: config.user, role: 'operator', project: config.project }

  const spaces = new Spaces(createSpaceStore(database))
  const taskStore = createTaskStore(database)
  const tasks = new Tasks(taskStore, reminders)
  const guide = createGuide({ config, database, changes, tasks, spaces })
  const local = createLocalDialogs({
    config,
    patienceMs,
    database,
    log,
    tasks,
    guide,
    search: {
      search: ({ text, user, project, limit }, signal) =>
        context.findTurns({ user, project }, text, { limit, withSpaces: true }, signal),
    },
    recall: {
      decisions: (caller, limit, _signal, spaces) => context.recentDecisions(caller, limit, spaces),
      files: (caller, limit) => context.filesAtHand(caller, limit),
    },
    decisionsAbout: (caller, file, session) => context.decisionsAbout(caller, file, session),
    spaces,
  })
  const { dialogs, requestSharing, shared } = local
  const { context, close: closeContext } = createContext({
    config: noProject === undefined ? config : { ...config, backgroundIndex: 'off' },
    database,
    log,
    dialogs,
    guide,
    reminders,
    spaces,
    shared,
  })
  const services: Services = new Map([
    tasksFamily.serving(tasks),
    guideFamily.serving(guide),
    dialogsFamily.serving(dialogs),
    contextFamily.serving(context),
    ...moreServices,
  ])

  const limits =
    config.rateLimits === 'off'
      ? noLimits
      : createLimits(isShared ? createLimitQueries(database) : undefined)

  const boundary = new Boundary({
    tools,
    services,
    limits,
    calls,
    reminders,
    log,
    tracing,
  })

  return {
    config,
    log,
    database,
    boundary,
    changes,
    calls,
    limits,
    context,
    dialogs,
    guide,
    tasks,
    taskStore,
    spaces,
    requestSharing,
    services,
    tracing,
    localCaller,
    noProject,
    async rules() {
      const { WatchedRules } = await import('../rules/watched-rules.ts')
      return new WatchedRules({ dialogs, store: local.deeds, guide })
    },
    watch() {
      local.watch()
      guide.watch(localCaller)
      if (!noProject) context.watch()
    },
    async close(first = async () => {}) {
      guide.close()
      const lost = (err: unknown) => log.warn({ err }, 'something could not be saved at the end')
      const finishParts = async () => {
        await boundary.settled()
        await first()
        await closeContext()
        await local.close()
        // What was answered does not fail for want of its statistics.
        await calls.flush().catch(lost)
      }
      // A database that went silent must not keep a server from ending.
      await within(CLOSE_PARTS_MS, finishParts())
      await within(CLOSE_DATABASE_MS, database.close())
      await telemetry?.close()
    },
  }
}

async function createTelemetry(config: Config, log: Log): Promise<Telemetry | undefined> {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, otlpService: service, replica } = config
  if (!endpoint) return undefined
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts')
  return openTelemetry({ endpoint, headers, service, replica, version }, log)
}

interface GuideParts {
  readonly config: Config
  readonly database: Database
  readonly changes: Changes
  readonly tasks: Tasks
  readonly spaces: Spaces
}

/** The person's documents over the shipped ones, and what each project has stored about them. */
function createGuide({ config, database, changes, tasks, spaces }: GuideParts): Guide {
  return new Guide({
    store: createGuideStore(database),
    changes,
    openTasks: async (user) =>
      (await tasks.list(user, { completed: false, limit: MAX_OPEN_TASKS, offset: 0 })).tasks,
    shipped: join(packageRoot(), 'docroot'),
    home: config.home,
    docroot: config.docroot,
    spaceDocuments: createSpaceDocumentStore(database),
    spaces,
  })
}
