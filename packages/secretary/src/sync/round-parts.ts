import type { DialogCarrier, RowCarrier } from './carriers.ts'
import type { HybridClock } from './hybrid-clock.ts'
import type { Sealer } from './seal.ts'
import type { Transport } from './segment.ts'
import type { SyncState } from './store/sqlite-sync-state.ts'

/** What every step of a round works with. */
export interface RoundParts {
  readonly machine: string
  readonly clock: HybridClock
  readonly transport: Transport
  readonly sealer: Sealer
  readonly state: SyncState
  readonly dialogs: DialogCarrier
  /** None where the team's database has them already. */
  readonly rows: readonly RowCarrier[]
}

export interface Counts {
  dialogs: number
  tasks: number
  discoveries: number
  /** Dialogs forgotten, and tasks and dialogs deleted. */
  forgotten: number
}

export function noCounts(): Counts {
  return { dialogs: 0, tasks: 0, discoveries: 0, forgotten: 0 }
}

export interface Received extends Counts {
  /** Dialogs that are here already, forgotten or too old. */
  skipped: number
  /** Machines of which a part has not arrived yet. */
  incomplete: string[]
  /** What is wrong with a log; the rest was read all the same. */
  problems: string[]
}
