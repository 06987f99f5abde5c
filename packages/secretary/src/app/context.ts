import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Reminders } from '@secretary-mcp/core/reminders.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { createAccessStore } from '../context/access/access.ts'
import { Context } from '../context/context.ts'
import type { FedTurn } from '../context/discoveries/feed.ts'
import type { PackPorts } from '../context/pack/pack-types.ts'
import { SpaceNotes } from '../context/space-notes/space-notes.ts'
import { createDiscoveryStore } from '../context/store/discovery-store.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { namedProject } from '../dialogs/sharing/project-name.ts'
import type { SharedRequestStore } from '../dialogs/store/requests-in-spaces.ts'
import type { Document } from '../guide/documents/document.ts'
import { guideFamily } from '../guide/family.ts'
import { compileGlob } from '../guide/glob.ts'
import type { Guide } from '../guide/guide.ts'
import { isName, quoted } from '../guide/names.ts'
import type { Project } from '../guide/project/project.ts'
import { chosenDocuments } from '../guide/select.ts'
import type { Spaces } from '../spaces/spaces.ts'
import type { Database } from '../storage/database.ts'
import { prefixesOf } from '../toolsets.ts'
import { builtInBridges, builtInEmbedder } from './built-in-models.ts'
import { indexAside } from './index-aside.ts'

const SAY_AGAIN_AFTER_MS = 4 * 60 * 60 * 1000
const MAX_REMEMBERED = 5_000
const MAX_AT_ONCE = 2
/** Agents read files in bursts: for a reminder, the rules of a second ago are good enough. */
const FRESH_MS = 1_000

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
    getContent: guideFamily.finalName('get_content', prefixesOf(config)),
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

/**
 * Notes of spaces where PostgreSQL finds them; on SQLite they are in the index. Whatever reads a person's own notes, those of a space
 * are compared by the built-in vectors: all who share them have these.
 */
function createSpaceNotes(database: Database, log: Log): SpaceNotes | undefined {
  if (database.engine !== 'postgres') return undefined
  let opened: ReturnType<typeof open> | undefined
  return new SpaceNotes({
    log,
    open: () => {
      opened ??= open(database)
      return opened
    },
  })
}

async function open(database: Database) {
  const [{ createSpaceNoteStore }, { createNoteReader }, embedder, bridges] = await Promise.all([
    import('../context/space-notes/postgres/space-note-store.ts'),
    import('@secretary-mcp/search/note-reader.ts'),
    builtInEmbedder(),
    builtInBridges(),
  ])
  return {
    store: createSpaceNoteStore(database),
    reader: createNoteReader(embedder, bridges),
  }
}

/** One search engine for each project, opened when first asked for: its packages are heavy and a start must not wait for them. */
class SearchEngines {
  readonly #open = new Map<string, Promise<SearchEngine>>()
  readonly #config: Config
  readonly #log: Log

  constructor(config: Config, log: Log) {
    this.#config = config
    this.#log = log
  }

  of(project: string): Promise<SearchEngine> {
    const known = this.#open.get(project)
    if (known !== undefined) return known
    const opening = this.#create(project)
    this.#open.set(project, opening)
    opening.catch(() => void this.#open.delete(project))
    return opening
  }

  /** The next to ask gets one over a newly opened index. */
  async reopen(project: string): Promise<void> {
    const engine = await this.#open.get(project)?.catch(() => undefined)
    this.#open.delete(project)
    await engine?.close()
  }

  async close(): Promise<void> {
    const engines = await Promise.all(
      [...this.#open.values()].map((engine) => engine.catch(() => undefined)),
    )
    this.#open.clear()
    await Promise.all(engines.map((engine) => engine?.close()))
  }

  async #create(project: string): Promise<SearchEngine> {
    const [{ createSearchEngine }, { openEngineParts }] = await Promise.all([
      import('@secretary-mcp/search/search-engine.ts'),
      import('./engine-parts.ts'),
    ])
    const parts = await openEngineParts(this.#config, project, this.#log)
    return createSearchEngine({
      ...parts,
      indexAside: parts.store.isPrivate ? undefined : indexAside(this.#config, project, this.#log),
    })
  }
}

interface ReminderParts {
  readonly reminders: Reminders
  readonly open: (caller: Caller) => Promise<Project>
  /** The tool's name in this installation. */
  readonly getContent?: string
  readonly failed?: (error: unknown) => void
  readonly now?: () => number
}

interface Rules {
  readonly of: string
  readonly atMs: number
  readonly key: string
  readonly rules: readonly {
    readonly document: Document
    readonly appliesTo: readonly ((path: string) => boolean)[]
  }[]
}

/** Puts the rules for a file that was just read on the caller's next result, each once in a while. */
export class RuleReminders {
  readonly #reminders: Reminders
  readonly #open: (caller: Caller) => Promise<Project>
  readonly #getContent: string
  readonly #failed: (error: unknown) => void
  readonly #now: () => number
  readonly #said = new Map<string, number>()
  #latest?: Rules

  constructor(parts: ReminderParts) {
    const { reminders, open, getContent = 'get_content', failed = () => {}, now = Date.now } = parts
    this.#reminders = reminders
    this.#open = open
    this.#getContent = getContent
    this.#failed = failed
    this.#now = now
  }

  /** `path` is relative to the project's root, with forward slashes. Never rejects: a reminder must not cost the call it rides on. */
  async fileRead(caller: Caller, path: string): Promise<void> {
    await this.#remind(caller, path).catch(this.#failed)
  }

  async #remind(caller: Caller, path: string): Promise<void> {
    const { key, rules } = await this.#recently(caller)
    let left = MAX_AT_ONCE
    for (const { document, appliesTo } of rules) {
      if (left === 0) return
      if (!appliesTo.some((matches) => matches(path))) continue
      if (!this.#isNews(`${caller.user}\0${key}\0${caller.session ?? ''}\0${document.path}`))
        continue
      left--
      const name = document.path.replace(/\.\w+$/, '')
      const how =
        isName(name.split('/')[0] ?? '') && name.includes('/')
          ? ` Read it with ${this.#getContent}("${name}").`
          : ''
      this.#reminders.add(
        caller,
        `rule:${document.path}`,
        `${document.title} applies to ${quoted(path)}: ${document.description ?? ''}.${how}`,
      )
    }
  }

  async #recently(caller: Caller): Promise<Rules> {
    const now = this.#now()
    const latest = this.#latest
    if (latest?.of === caller.project && now - latest.atMs < FRESH_MS) return latest
    const project = await this.#open(caller)
    const rules = chosenDocuments(project).flatMap(({ document }) =>
      document.appliesTo.length === 0
        ? []
        : [{ document, appliesTo: document.appliesTo.map(compileGlob) }],
    )
    this.#latest = { of: caller.project, atMs: now, key: project.key, rules }
    return this.#latest
  }

  #isNews(key: string): boolean {
    const before = this.#said.get(key)
    const now = this.#now()
    if (before !== undefined && now - before < SAY_AGAIN_AFTER_MS) return false
    if (this.#said.size >= MAX_REMEMBERED) this.#said.clear()
    this.#said.set(key, now)
    return true
  }
}
