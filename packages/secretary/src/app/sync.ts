import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Dialog } from '@secretary-mcp/transcripts/dialog.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import type { Database } from '../storage/database.ts'
import type { Carriers, Sync } from '../sync/sync.ts'
import { ownFiles } from './own-files.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly dialogs: Dialogs
  readonly localCaller: Caller
  readonly forgetDialogs: (unwanted: readonly Dialog[]) => Promise<void>
  readonly log: Log
}

const never = new AbortController().signal

/** Loaded by the command alone, with connections of its own. */
export async function withSync<T>(
  { config, database, ...parts }: Parts,
  work: (sync: Sync) => Promise<T>,
): Promise<T> {
  const [
    { Sync },
    { folderTransport },
    { gitTransport },
    { databaseTransport },
    { sqliteSyncState },
    { adoptSync },
  ] = await Promise.all([
    import('../sync/sync.ts'),
    import('../sync/transports/folder-transport.ts'),
    import('../sync/transports/git-transport.ts'),
    import('../sync/store/database-transport.ts'),
    import('../sync/store/sqlite-sync-state.ts'),
    import('./adopt-sync.ts'),
  ])
  await adoptSync(config, database)
  const { folder, syncState: state, syncCheckout: checkout } = ownFiles(config)
  const closers: (() => Promise<void>)[] = []
  const sync = new Sync({
    home: folder,
    environmentKey: config.syncKey,
    transportOf(place, machine) {
      if (place.kind === 'folder') return folderTransport(place.folder)
      if (place.kind === 'git') return gitTransport({ folder: checkout, url: place.url, machine })
      return databaseTransport(database, config.user)
    },
    openState: () => sqliteSyncState(state),
    carriersOf: (machine) => carriersOf({ config, database, ...parts }, machine, closers),
    async removeTraces() {
      for (const suffix of ['', '-wal', '-shm', '-lock', '-lock-wal', '-lock-shm'])
        await rm(state + suffix, { force: true })
      await rm(checkout, { recursive: true, force: true })
    },
  })
  try {
    return await work(sync)
  } finally {
    for (const close of closers) await close()
  }
}

/** In the team's database tasks and discoveries are on every machine already. */
async function carriersOf(
  { config, database, dialogs, localCaller, forgetDialogs, log }: Parts,
  machine: string,
  closers: (() => Promise<void>)[],
): Promise<Carriers> {
  const [{ CarriedDialogs }, { sqliteDeedStore }, { sqliteKeptStore }] = await Promise.all([
    import('../dialogs/carrying/carried-dialogs.ts'),
    import('../dialogs/deeds/store/sqlite-deed-store.ts'),
    import('../dialogs/keeping/store/sqlite-kept-store.ts'),
  ])
  await dialogs.ready(localCaller, never)
  const files = ownFiles(config)
  const deeds = sqliteDeedStore(files.deeds, log)
  const kept = sqliteKeptStore(files.kept, log)
  closers.push(
    () => deeds.close(),
    () => kept.close(),
  )
  const { store, index } = dialogs
  const { keepDays } = config
  const host = hostname().replace(/[^\w.-]+/g, '-')
  const carried = new CarriedDialogs({
    ...{ store, index, deeds, kept, keepDays, host, forget: forgetDialogs },
  })
  if (database.engine === 'postgres') return { dialogs: carried, rows: [] }
  const [{ carriedTasks }, { carriedDiscoveries }, { databaseId }] = await Promise.all([
    import('../sync/store/carried-tasks.ts'),
    import('../sync/store/carried-discoveries.ts'),
    import('../sync/store/database-transport.ts'),
  ])
  return {
    dialogs: carried,
    rows: [carriedTasks(database, config.user, machine), carriedDiscoveries(database, config.user)],
    databaseId: await databaseId(database),
  }
}
