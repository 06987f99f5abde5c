import type { Owner } from '../owner.ts'
import type { Discovery, DiscoveryType } from './discovery.ts'

export interface DiscoveryFilter {
  readonly type?: DiscoveryType
  readonly module?: string
  readonly session?: string
  readonly withArchived?: boolean
  readonly limit: number
  readonly offset?: number
}

/** What discoveries need from storage. Nothing is ever deleted. */
export interface DiscoveryStore {
  /** Those that were not there yet. */
  add(owner: Owner, discoveries: readonly Discovery[]): Promise<Discovery[]>
  /** The latest first. */
  list(owner: Owner, filter: DiscoveryFilter): Promise<{ discoveries: Discovery[]; total: number }>
  /** The latest of a type that are not older than a moment, oldest first, archived ones too. */
  addedSince(
    owner: Owner,
    type: DiscoveryType,
    date: string,
    limit: number,
  ): Promise<Pick<Discovery, 'id' | 'content' | 'date'>[]>
  /** Characters of all that are not archived. */
  charactersAtHand(owner: Owner): Promise<number>
  find(owner: Owner, ids: readonly string[]): Promise<Discovery[]>
  /** Said again, or found by a search. */
  touch(owner: Owner, ids: readonly string[], now: string): Promise<void>
  archive(owner: Owner, ids: readonly string[]): Promise<void>
}
