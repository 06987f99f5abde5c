import { Boundary } from '@secretary-mcp/core/boundary.ts'
import { Calls } from '@secretary-mcp/core/calls.ts'
import { type Listing, listingOf } from '@secretary-mcp/core/catalogue.ts'
import {
  type Change,
  Changes,
  type ReplicaEvent,
  type ReplicaEvents,
} from '@secretary-mcp/core/changes.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { createLimits, type Limits, noLimits } from '@secretary-mcp/core/limits.ts'
import { createLog, type Log } from '@secretary-mcp/core/log.ts'
import type { Prompt, ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'
import { Reminders } from '@secretary-mcp/core/reminders.ts'
import type { Caller, Services } from '@secretary-mcp/core/tool.ts'
import type { Profile } from '@secretary-mcp/core/tool-arguments.ts'
import { noTracing, type Tracing } from '@secretary-mcp/core/tracing.ts'
import { within } from '@secretary-mcp/core/within-time.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { Conversations } from '../agent/conversations.ts'
import type { Context } from '../context/context.ts'
import { contextFamily } from '../context/family.ts'
import { createContextResources } from '../context/resources.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { dialogsFamily } from '../dialogs/family.ts'
import type { RequestSharing } from '../dialogs/sharing/request-sharing.ts'
import { guideFamily } from '../guide/family.ts'
import type { Guide } from '../guide/guide.ts'
import { createGuidePrompt } from '../guide/prompts/guide-prompt.ts'
import { createGuideResources } from '../guide/resources.ts'
import { createDocumentStore } from '../guide/store/document-store.ts'
import { AccessTokens, createTokenStore } from '../identity/access-tokens.ts'
import { createSessionStore, type SessionStore } from '../identity/store/session-store.ts'
import type { WatchedRules } from '../rules/watched-rules.ts'
import { Spaces } from '../spaces/spaces.ts'
import { createSpaceStore } from '../spaces/store/space-store.ts'
import type { Backup } from '../storage/backup/write-backup.ts'
import type { Database } from '../storage/database.ts'
import { databaseHealth, tryWrite } from '../storage/database-health.ts'
import { type DatabaseOptions, databasePlace, openDatabase } from '../storage/open-database.ts'
import { keepPrivate } from '../storage/private-home.ts'
import type { Sync } from '../sync/sync.ts'
import { tasksFamily } from '../tasks/family.ts'
import { createTaskRequestStore, type TaskRequests } from '../tasks/store/task-request-store.ts'
import { createTaskStore } from '../tasks/store/task-store.ts'
import { TaskSharing, Tasks } from '../tasks/tasks.ts'
import type { Telemetry } from '../telemetry/open-telemetry.ts'
import { createCallStore, createLimitQueries } from '../usage/call-store.ts'
import { version } from '../version.ts'
import { createConversations } from './chat.ts'
import { createContext } from './context.ts'
import { createLocalDialogs, forgetDialogs } from './dialogs.ts'
import { createFind, type FoundAnswer } from './find.ts'
import { createGuide } from './guide.ts'
import { dialogHealth, indexHealth } from './health.ts'
import { withSync } from './sync.ts'
import { createTools, exampleService, refusedResources } from './tools.ts'
import { Writes } from './writes.ts'

const EVERY_LIST: readonly Change[] = [{ kind: 'resources' }, { kind: 'prompts' }]

const LONGEST_MS = 3_000

/** A start and the first calls come before it. */
const QUIET_MS = 10_000

const CLOSE_PARTS_MS = 4_000
const CLOSE_DATABASE_MS = 3_000

/** Everything a front end needs, and nothing it could reach around. */
export interface App {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly boundary: Boundary
  readonly tools: ReadonlyMap<string, DecoratedTool>
  readonly prompts: readonly Prompt[]
  readonly resources: readonly ResourceProvider[]
  readonly changes: Changes
  readonly writes: Writes
  readonly calls: Calls
  readonly limits: Limits
  readonly tokens: AccessTokens
  readonly sessions: SessionStore
  readonly context: Context
  readonly dialogs: Dialogs
  readonly conversations: Conversations
  readonly guide: Guide
  readonly tasks: Tasks
  readonly taskRequests: TaskRequests
  readonly spaces: Spaces
  readonly taskSharing: TaskSharing
  readonly requestSharing: RequestSharing
  readonly backups: Backups
  /** The rules that are watched; loaded only by those who ask. */
  rules(): Promise<WatchedRules>
  /** One search over everything that the page shows. */
  find(
    caller: Caller,
    asked: { readonly typed: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<FoundAnswer>
  readonly tracing: Tracing
  readonly healthChecks: readonly HealthCheck[]
  /** Why calls would fail now; undefined where the server can take them. */
  whyNotReady(): Promise<string | undefined>
  /** The local caller: stdio, the command line, loopback without tokens. */
  readonly localCaller: Caller
  /** Why the folder is not taken for a project, and the context family is not offered. */
  readonly noProject?: string
  listings(profile?: Profile): Listing[]
  /** Called by a server when it starts, and by nobody else: dialogs, documents and code are watched until the app closes. */
  watch(): void
  /**
   * Called by a server that many use: what others on the same database change is announced here, and documents are written for
   * all of them. Takes one more connection.
   */
  joinOthers(): void
  /** Removes dialogs from everything that is stored, for good. */
  forgetDialogs(unwanted: readonly Dialog[]): Promise<void>
  /** What this person's other machines know, and what they should. */
  withSync<T>(work: (sync: Sync) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface AppOptions extends DatabaseOptions {
  /** How long a call waits for dialogs to be read. */
  readonly patienceMs?: number
  /** A server that others operate tells a collector what it does; a person's own commands never do. */
  readonly isObserved?: boolean
}

/** The composition root: the only place that knows every part. */
export async function createApp(
  config: Config,
  log: Log = createLog(config.logLevel),
  { patienceMs, isObserved, ...options }: AppOptions = {},
): Promise<App> {
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
  const withExamples = config.exampleTools === 'true'
  const services: Services = new Map([
    tasksFamily.serving(tasks),
    guideFamily.serving(guide),
    dialogsFamily.serving(dialogs),
    contextFamily.serving(context),
    ...(withExamples ? [await exampleService()] : []),
  ])

  const { tools, callable, hasGuide, hasContext } = await createTools({
    config,
    log,
    noProject,
    withExamples,
  })
  const limits =
    config.rateLimits === 'off'
      ? noLimits
      : createLimits(isShared ? createLimitQueries(database) : undefined)

  const boundary = new Boundary({
    tools: callable,
    services,
    limits,
    calls,
    reminders,
    log,
    tracing,
  })

  const conversations = createConversations({ config, database, boundary, tools })
  const events = config.databaseUrl
    ? openReplicaEvents(database, config.databaseDirectUrl ?? config.databaseUrl, log)
    : undefined
  const writes = new Writes(database, (written) =>
    events?.publish({ kind: 'written', topics: [...written] }),
  )
  const others = events && shareEvents({ changes, conversations, writes, events })
  const forget = (unwanted: readonly Dialog[]) =>
    forgetDialogs({ config, database, dialogs, requestSharing, calls, log }, unwanted)
  const closing = new AbortController()
  let following: { close(): Promise<void> } | undefined

  return {
    config,
    log,
    database,
    boundary,
    tools,
    prompts: hasGuide ? [createGuidePrompt({ guide, services, log })] : [],
    resources: [
      ...(hasGuide ? [createGuideResources(guide)] : []),
      ...(hasContext
        ? [noProject ? refusedResources('context', noProject) : createContextResources(context)]
        : []),
    ],
    changes,
    writes,
    calls,
    limits,
    conversations,
    tokens: new AccessTokens(createTokenStore(database)),
    sessions: createSessionStore(database),
    guide,
    tasks,
    taskRequests: createTaskRequestStore(database),
    spaces,
    taskSharing: new TaskSharing(taskStore, spaces),
    requestSharing,
    backups: createBackups(database),
    async rules() {
      const { WatchedRules } = await import('../rules/watched-rules.ts')
      return new WatchedRules({ dialogs, store: local.deeds, guide })
    },
    find: createFind({ tasks, guide, dialogs, context, tools, log }),
    context,
    dialogs,
    tracing,
    healthChecks: [
      databaseHealth(database, databasePlace(config)),
      ...(noProject ? [] : [indexHealth(context, localCaller)]),
      dialogHealth(dialogs, localCaller),
    ],
    whyNotReady: () => whyNotReady(database),
    localCaller,
    noProject,
    listings: (profile = config.descriptions) =>
      [...tools.values()].map((tool) => listingOf(tool, profile)),
    watch() {
      redactLater(database, log, closing.signal)
      local.watch()
      guide.watch(localCaller)
      if (!noProject) context.watch()
    },
    joinOthers() {
      if (!others) return
      guide.share(createDocumentStore(database))
      following ??= others.follow()
    },
    forgetDialogs: forget,
    withSync: (work) =>
      withSync({ config, database, dialogs, localCaller, forgetDialogs: forget, log }, work),
    async close() {
      closing.abort()
      guide.close()
      const lost = (err: unknown) => log.warn({ err }, 'something could not be saved at the end')
      const finishParts = async () => {
        await boundary.settled()
        await following?.close()
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

/** Looks through what is stored for secrets, once a server has settled. */
function redactLater(database: Database, log: Log, signal: AbortSignal): void {
  const begin = async () => {
    const { redactStored } = await import('./redact-stored.ts')
    await redactStored(database, signal)
  }
  const timer = setTimeout(() => {
    begin().catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, 'stored rows could not be searched for secrets')
    })
  }, QUIET_MS).unref()
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

interface Backups {
  /** Everything in the database, in one file. */
  write(path: string): Promise<Backup>
  /** How many rows came back. */
  restore(path: string): Promise<number>
}

/** Loaded when it is asked for: a server never is. */
function createBackups(database: Database): Backups {
  return {
    write: async (path) =>
      (await import('../storage/backup/write-backup.ts')).writeBackup(database, path, version),
    restore: async (path) =>
      (await import('../storage/backup/restore-backup.ts')).restoreBackup(database, path),
  }
}

/** The driver loads when there is something to tell or somebody to hear: a start must not wait for it. */
function openReplicaEvents(database: Database, url: string, log: Log): ReplicaEvents {
  let loading: Promise<ReplicaEvents> | undefined
  const events = () => {
    loading ??= import('../storage/postgres/postgres-events.ts').then(({ createPostgresEvents }) =>
      createPostgresEvents(database, url, log),
    )
    return loading
  }
  return {
    publish: (event) => void events().then((loaded) => loaded.publish(event)),
    follow(listener) {
      const following = events().then((loaded) => loaded.follow(listener))
      return { close: async () => (await following).close() }
    },
  }
}

/** Why nothing could be stored now; undefined where all is well. A server whose version is too old is never ready. */
async function whyNotReady(database: Database): Promise<string | undefined> {
  let problem: string | undefined = 'The database does not answer'
  const asking = database.use(async (db) => {
    const { refuseNewerSchema } = await import('../storage/migrate.ts')
    await refuseNewerSchema(db)
    await tryWrite(db)
  })
  const seen = asking.then(
    () => {
      problem = undefined
    },
    (error: unknown) => {
      problem = error instanceof Failure ? error.message : 'The database failed'
    },
  )
  await within(LONGEST_MS, seen)
  return problem
}

interface Parts {
  readonly events: ReplicaEvents
  readonly changes: Changes
  readonly conversations: Conversations
  readonly writes: Writes
}

/** What happens here is told to the other servers. Returns how to hear what happens there. */
function shareEvents({ events, changes, conversations, writes }: Parts): {
  follow(): { close(): Promise<void> }
} {
  changes.listen((change, origin) => {
    if (origin === 'here') events.publish({ kind: 'change', change })
  })
  conversations.onChange((user, origin) => {
    if (origin === 'here') events.publish({ kind: 'chat', user })
  })
  const heard = (event: ReplicaEvent) => {
    if (event.kind === 'change') changes.announce(event.change, 'elsewhere')
    else if (event.kind === 'chat') conversations.announce(event.user, 'elsewhere')
    else if (event.kind === 'written') writes.hear(event.topics)
    else {
      writes.hear()
      for (const change of EVERY_LIST) changes.announce(change, 'elsewhere')
    }
  }
  return { follow: () => events.follow(heard) }
}
