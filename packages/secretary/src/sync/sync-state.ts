import type { Fields, RecordType } from './record.ts'
import type { Position } from './segment.ts'

/** What this machine knows of one record. */
export interface KnownRecord {
  readonly type: RecordType
  readonly id: string
  readonly version: string
  /** Of this machine's own dialog: the file as it was last sent. */
  readonly stamp?: string
  /** Of a dialog: what `forget` would name. */
  readonly group?: string
  readonly fields?: Fields
  /** Of a row: its name in this machine's database. */
  readonly local?: string
  readonly isDeleted?: boolean
  /** Said by this machine, so it belongs into its log. */
  readonly isOwn: boolean
  /** The generation of this machine's log that holds this version; 0 where none does. */
  readonly sentIn: number
  /** Characters in the log. */
  readonly size: number
}

export interface OwnLog extends Position {
  /** Characters in this generation, also of what was said again since. */
  readonly written: number
}

/** What a machine remembers between two rounds, in a file of its own. */
export interface SyncState {
  find(type: RecordType, id: string): Promise<KnownRecord | undefined>
  ofType(type: RecordType): Promise<KnownRecord[]>
  save(records: readonly KnownRecord[]): Promise<void>
  forget(records: readonly Pick<KnownRecord, 'type' | 'id'>[]): Promise<void>
  /** The highest version of all. */
  latest(): Promise<string | undefined>
  /** How far the logs of the others were read. */
  positions(): Promise<Map<string, Position>>
  savePosition(machine: string, position: Position): Promise<void>
  dropPosition(machine: string): Promise<void>
  ownLog(): Promise<OwnLog>
  /** At once: a segment is written, and these records are in it. */
  saveSent(log: OwnLog, records: readonly KnownRecord[]): Promise<void>
  /** Which database the rows of the last round were in. */
  database(): Promise<string | undefined>
  saveDatabase(id: string): Promise<void>
  /** Undefined where another process is at it. */
  lock(): Promise<{ release(): Promise<void> } | undefined>
  close(): Promise<void>
}
