import type { HybridClock } from './hybrid-clock.ts'
import type { Sealer } from './seal.ts'
import type { RowType, Transport, Value } from './segment.ts'
import type { SyncState } from './store/sqlite-sync-state.ts'

export interface OwnDialog {
  readonly id: string
  readonly stamp: string
  /** The person has deleted its file. */
  readonly isRemoved: boolean
}

/** What synchronisation needs from the dialogs. */
export interface DialogCarrier {
  /** Those of this machine, not what came from others. */
  own(): Promise<OwnDialog[]>
  /** All that is known of one, without secrets, and what `forget` would name; undefined where it is gone since. */
  pack(id: string): Promise<{ readonly group: string; readonly body: unknown } | undefined>
  /** False where it is not wanted here: forgotten, too old, or here already. */
  take(id: string, body: unknown): Promise<boolean>
  /** One that came by `take`. */
  drop(id: string): Promise<boolean>
  /** What the person had forgotten, as `group` of dialogs. */
  forgotten(): Promise<string[]>
  /** Whatever is here of it; false where there was nothing. It never comes back. */
  forget(group: string): Promise<boolean>
}

export interface Row {
  /** Its name in this machine's database. */
  readonly local: string
  /** Its name on every machine, for good. */
  readonly id: string
  readonly values: Readonly<Record<string, Value>>
  /** Changes with every edit. */
  readonly edition: string
  /** When it was last edited, for a row that no round has seen yet. */
  readonly editedMs: number
}

/** What synchronisation needs from tasks and from discoveries: a person's own rows, without secrets. */
export interface RowCarrier {
  readonly type: RowType
  /** What is said once and for all, whatever a machine calls it later. */
  readonly fixed: readonly string[]
  rows(): Promise<Row[]>
  find(local: string): Promise<Row | undefined>
  /** Gives the row's name, also where it is there already; undefined where the values make no row. */
  add(id: string, values: Readonly<Record<string, Value>>): Promise<string | undefined>
  /** False where it was edited or deleted since. */
  change(
    row: Pick<Row, 'local' | 'edition'>,
    values: Readonly<Record<string, Value>>,
  ): Promise<boolean>
  remove?(local: string): Promise<void>
}

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
