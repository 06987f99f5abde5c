import type { Log } from '@secretary-mcp/core/log.ts'
import type { ReplicaEvents } from '@secretary-mcp/core/replica-events.ts'
import type { Database } from './database.ts'

/** The driver loads when there is something to tell or somebody to hear: a start must not wait for it. */
export function openReplicaEvents(database: Database, url: string, log: Log): ReplicaEvents {
  let loading: Promise<ReplicaEvents> | undefined
  const events = () => {
    loading ??= import('./postgres/postgres-events.ts').then(({ createPostgresEvents }) =>
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
