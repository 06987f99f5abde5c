import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Calls } from '@secretary-mcp/core/calls.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Prefixes } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import { openForeign } from '@secretary-mcp/transcripts/foreign-database.ts'
import { placesOf } from '@secretary-mcp/transcripts/places.ts'
import type { Source } from '@secretary-mcp/transcripts/source.ts'
import { createSources } from '@secretary-mcp/transcripts/sources/sources.ts'
import type { DeedStore } from '../dialogs/deeds/deed-store.ts'
import { sqliteDeedStore } from '../dialogs/deeds/store/sqlite-deed-store.ts'
import { SameProjects } from '../dialogs/deeds/work-places.ts'
import type { DialogStore } from '../dialogs/dialog-store.ts'
import { Dialogs } from '../dialogs/dialogs.ts'
import type { DecisionsAbout } from '../dialogs/edit-notes/edit-notes.ts'
import { type DialogClaim, homeOf, isCarried, isStranger } from '../dialogs/keeping/kept-store.ts'
import { sqliteKeptStore } from '../dialogs/keeping/store/sqlite-kept-store.ts'
import { createPinStore } from '../dialogs/pins/pins.ts'
import type { RecallPorts } from '../dialogs/recall/compose-recall.ts'
import type { RequestSearch } from '../dialogs/search/search-requests.ts'
import {
  RequestSharing,
  type SharingSpaces,
  StandingSharing,
} from '../dialogs/sharing/request-sharing.ts'
import { createDialogStore, dialogClaims } from '../dialogs/store/dialog-store.ts'
import {
  createSharedRequestStore,
  type SharedRequestStore,
} from '../dialogs/store/requests-in-spaces.ts'
import { guideFamily } from '../guide/family.ts'
import type { Guide } from '../guide/guide.ts'
import { isFromChosen } from '../space.ts'
import type { Database } from '../storage/database.ts'
import { tasksFamily } from '../tasks/family.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { prefixesOf } from '../toolsets.ts'
import { ownFiles } from './own-files.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly tasks: Tasks
  readonly guide: Guide
  readonly search?: RequestSearch
  /** What the other families add to a recall, besides open tasks and rules. */
  readonly recall?: Pick<RecallPorts, 'decisions' | 'files'>
  readonly decisionsAbout?: DecisionsAbout
  /** How long a call waits for dialogs to be read. */
  readonly patienceMs?: number
  readonly spaces: SharingSpaces
}

interface LocalDialogs {
  readonly dialogs: Dialogs
  readonly deeds: DeedStore
  readonly requestSharing: RequestSharing
  readonly shared: SharedRequestStore
  /** For as long as a server runs. */
  watch(): void
  close(): Promise<void>
}

/** The files are this machine's, so their index belongs to one person on it, even in a database that a team shares. */
export function createLocalDialogs({
  config,
  database,
  log,
  tasks,
  guide,
  search,
  recall,
  decisionsAbout,
  patienceMs,
  spaces,
}: Parts): LocalDialogs {
  const { user, session, vscodeChats: window } = config
  const sources = createSources(placesOf(config), openForeign)
  const store = createDialogStore(database, `${user}@${hostname()}`)
  const { deeds: deedFile, kept: keptFile, sameProjects, unowned } = ownFiles(config)
  const deeds = {
    ...sqliteDeedStore(deedFile, log, unowned.deeds),
    sameProjects: new SameProjects(sameProjects),
  }
  const shared = createSharedRequestStore(database)
  const prefixes = prefixesOf(config)
  const dialogs = new Dialogs({
    store,
    sources,
    deeds,
    shared,
    pins: createPinStore(database),
    kept: sqliteKeptStore(keptFile, log, {
      path: unowned.kept,
      claims: (keys) => claimDialogs({ database, user, sources, store }, keys),
    }),
    keepDays: config.keepDays,
    patienceMs,
    log,
    user,
    session,
    window,
    search,
    decisionsAbout,
    recall: {
      ...recall,
      openTasks: openTaskLines(tasks, prefixes),
      rules: ruleLines(guide, prefixes),
    },
  })
  const sharing = new RequestSharing({ dialogs, deeds, store: shared, spaces })
  const owner = { user, role: 'operator', project: config.project } as const
  const standing = new StandingSharing({ dialogs, sharing, store: shared, spaces, owner, log })
  return {
    dialogs,
    deeds,
    requestSharing: sharing,
    shared,
    watch() {
      dialogs.watch()
      standing.follow()
    },
    async close() {
      await standing.close()
      await dialogs.close()
    },
  }
}

const MAX_TASKS = 200

/** Those of the caller's project: what was added elsewhere, or outside of any project, is no business of an agent here. */
function openTaskLines(tasks: Tasks, prefixes: Prefixes): RecallPorts['openTasks'] {
  return async ({ user, project }, limit, _signal, spaces) => {
    const most = spaces ? MAX_TASKS : limit
    const page = await tasks.list(user, { completed: false, project, limit: most, offset: 0 })
    const told = page.tasks.filter(({ space }) => isFromChosen(space, spaces))
    return {
      // Everybody in a space may change its tasks, so a shared one is not only its owner's words.
      lines: told
        .slice(0, limit)
        .map(({ id, title, space, owner }) =>
          space === undefined
            ? `${id}: ${title}`
            : `${id}, of ${quoteLine(owner ?? 'somebody')} in the space ${quoteLine(space)}: ${title}`,
        ),
      total: page.total - (page.tasks.length - told.length),
      tool: tasksFamily.finalName('list_tasks', prefixes),
    }
  }
}

function ruleLines(guide: Guide, prefixes: Prefixes): RecallPorts['rules'] {
  return async (caller, limit) => {
    const { rules, total } = await guide.rulesInForce(caller, limit)
    return {
      lines: rules.map(({ title, line, uri }) => [title, line, uri].filter(Boolean).join(' · ')),
      total,
      tool: guideFamily.finalName('get_content', prefixes),
    }
  }
}

interface ClaimParts {
  readonly database: Database
  readonly user: string
  readonly sources: readonly Source[]
  readonly store: DialogStore
}

/** Whose the dialogs are that a file without an owner holds. Those of others that came into this user's index from it leave it. */
async function claimDialogs(
  { database, user, sources, store }: ClaimParts,
  keys: readonly string[],
): Promise<DialogClaim[]> {
  const known = await dialogClaims(database, { user, host: hostname() }, keys)
  const claims = keys.map((key) => ({
    key,
    ...(known.get(key) ?? { isOthers: false }),
    isInOwnFolder: homeOf(key, sources) !== undefined,
  }))
  // Of what came with a sync nobody can say whose index had it first.
  const strangers = claims.filter((claim) => isStranger(claim) && !isCarried(claim))
  if (strangers.length > 0) await store.remove(strangers.map(({ key }) => key))
  return claims
}

interface ForgetParts {
  readonly config: Config
  readonly database: Database
  readonly dialogs: Dialogs
  readonly requestSharing: RequestSharing
  readonly calls: Calls
  readonly log: Log
}

/** From every place that holds words of a dialog: what is kept of it, its deeds, what was drawn from it, what is shared of it, the log of calls, the search indexes. */
export async function forgetDialogs(
  { config, database, dialogs, requestSharing, calls, log }: ForgetParts,
  unwanted: readonly Dialog[],
): Promise<void> {
  const [{ forgetDrawn }, { forgetNotes }, { removeSqliteFile }] = await Promise.all([
    import('../context/store/discovery-store.ts'),
    import('@secretary-mcp/search/index/sqlite-index-store.ts'),
    import('@secretary-mcp/core/sqlite/connection.ts'),
  ])
  const sessions = [...new Set(unwanted.map(({ sessionId }) => sessionId))]
  // First, so that a database that is away leaves everything as it was; and again for what was shared meanwhile.
  await requestSharing.forget(config.user, sessions)
  await dialogs.forget(unwanted)
  removeSqliteFile(ownFiles(config).unowned.deeds)
  await requestSharing.forget(config.user, sessions)
  // Any answer may have quoted one of them.
  await calls.forgetWords(config.user)
  const discoveries = await forgetDrawn(database, config.user, sessions)
  await forgetNotes(join(config.home, 'index'), { sessions, discoveries }, log)
}
