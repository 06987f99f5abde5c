import type { Change } from './changes.ts'

/** What the other servers on one database must hear of. */
export type ReplicaEvent =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'chat'; readonly user: string }
  | { readonly kind: 'written'; readonly topics: readonly string[] }
  /** Something may have happened while nobody listened. */
  | { readonly kind: 'missed' }

/** Between the servers on one database. An event never costs the call that caused it. */
export interface ReplicaEvents {
  publish(event: ReplicaEvent): void
  /** Hears what others publish, for as long as the server runs. */
  follow(listener: (event: ReplicaEvent) => void): { close(): Promise<void> }
}
