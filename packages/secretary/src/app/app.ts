import { type Listing, listingOf } from '@secretary-mcp/core/catalogue.ts'
import type { Change, Changes, ReplicaEvent, ReplicaEvents } from '@secretary-mcp/core/changes.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import { noProjectReason } from '@secretary-mcp/core/config/no-project.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { HealthCheck } from '@secretary-mcp/core/health-check.ts'
import { createLog, type Log } from '@secretary-mcp/core/log.ts'
import type { Prompt, ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Profile } from '@secretary-mcp/core/tool-arguments.ts'
import { within } from '@secretary-mcp/core/within-time.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { Conversations } from '../agent/conversations.ts'
import { createContextResources } from '../context/resources.ts'
import { createDismissalStore, type DismissalStore } from '../dialogs/store/dismissal-store.ts'
import { createDocumentStore } from '../guide/documents/docroot-mirror.ts'
import { createGuidePrompt } from '../guide/prompts/guide-prompt.ts'
import { createGuideResources } from '../guide/resources.ts'
import { AccessTokens, createTokenStore } from '../identity/access-tokens.ts'
import { createSessionStore, type SessionStore } from '../identity/browser-sessions.ts'
import type { Backup } from '../storage/backup/write-backup.ts'
import { type Database, Writes } from '../storage/database.ts'
import { databaseHealth, tryWrite } from '../storage/database-health.ts'
import { databasePlace } from '../storage/open-database.ts'
import type { Sync } from '../sync/sync.ts'
import { createTaskRequestStore, type TaskRequests } from '../tasks/store/task-store.ts'
import { TaskSharing } from '../tasks/tasks.ts'
import { PriceFile } from '../usage/prices.ts'
import { TokenUsage } from '../usage/token-usage.ts'
import { version } from '../version.ts'
import { createConversations } from './chat.ts'
import { forgetDialogs } from './dialogs.ts'
import { createFind, type FoundAnswer } from './find.ts'
import { dialogHealth, indexHealth } from './health.ts'
import { createMemory, type Memory, type MemoryOptions } from './memory.ts'
import { ownFiles } from './own-files.ts'
import { withSync } from './sync.ts'
import { createTools, exampleService, refusedResources } from './tools.ts'

const EVERY_LIST: readonly Change[] = [{ kind: 'resources' }, { kind: 'prompts' }]

const MAX_MS = 3_000

/** A start and the first calls come before it. */
const QUIET_MS = 10_000

/** Everything a front end needs, and nothing it could reach around. */
export interface App extends Omit<Memory, 'taskStore' | 'services' | 'close'> {
  readonly tools: ReadonlyMap<string, DecoratedTool>
  readonly prompts: readonly Prompt[]
  readonly resources: readonly ResourceProvider[]
  readonly writes: Writes
  readonly tokens: AccessTokens
  readonly sessions: SessionStore
  readonly dismissals: DismissalStore
  readonly prices: PriceFile
  readonly tokenUsage: TokenUsage
  readonly conversations: Conversations
  readonly taskRequests: TaskRequests
  readonly taskSharing: TaskSharing
  readonly backups: Backups
  /** One search over everything that the page shows. */
  find(
    caller: Caller,
    asked: { readonly typed: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<FoundAnswer>
  readonly healthChecks: readonly HealthCheck[]
  /** Why calls would fail now; undefined where the server can take them. */
  whyNotReady(): Promise<string | undefined>
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

type AppOptions = Omit<MemoryOptions, 'tools' | 'moreServices'>

/** The composition root: the only place that knows every part. */
export async function createApp(
  config: Config,
  log: Log = createLog(config.logLevel),
  options: AppOptions = {},
): Promise<App> {
  const withExamples = config.exampleTools === 'true'
  const { tools, callable, hasGuide, hasContext } = await createTools({
    config,
    log,
    noProject: noProjectReason(config),
    withExamples,
  })
  const memory = await createMemory(config, log, {
    ...options,
    tools: callable,
    moreServices: new Map(withExamples ? [await exampleService()] : []),
  })
  const { database, boundary, changes, calls, context, dialogs, guide, tasks, taskStore } = memory
  const { spaces, requestSharing, services, localCaller, noProject } = memory
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
  const prices = new PriceFile(ownFiles(config).prices)
  const closing = new AbortController()
  let following: { close(): Promise<void> } | undefined

  return {
    ...memory,
    tools,
    prompts: hasGuide ? [createGuidePrompt({ guide, services, log })] : [],
    resources: [
      ...(hasGuide ? [createGuideResources(guide)] : []),
      ...(hasContext
        ? [noProject ? refusedResources('context', noProject) : createContextResources(context)]
        : []),
    ],
    writes,
    conversations,
    tokens: new AccessTokens(createTokenStore(database)),
    sessions: createSessionStore(database),
    taskRequests: createTaskRequestStore(database),
    taskSharing: new TaskSharing(taskStore, spaces),
    backups: createBackups(database),
    find: createFind({ tasks, guide, dialogs, context, tools, log }),
    dismissals: createDismissalStore(database),
    prices,
    tokenUsage: new TokenUsage(dialogs, prices),
    healthChecks: [
      databaseHealth(database, databasePlace(config)),
      ...(noProject ? [] : [indexHealth(context, localCaller)]),
      dialogHealth(dialogs, localCaller),
    ],
    whyNotReady: () => whyNotReady(database),
    listings: (profile = config.descriptions) =>
      [...tools.values()].map((tool) => listingOf(tool, profile)),
    watch() {
      redactLater(database, log, closing.signal)
      memory.watch()
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
      await memory.close(async () => following?.close())
    },
  }
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
  await within(MAX_MS, seen)
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
