import type { SegmentName } from './segment.ts'

/** Where machines leave their logs for each other: a folder, a git remote or the team's database. */
export interface Transport {
  /** Brings what the others left within reach. */
  begin(): Promise<void>
  /** In no order. */
  list(): Promise<SegmentName[]>
  /** Undefined where it is gone since. */
  read(name: SegmentName): Promise<Uint8Array | undefined>
  /** Whole or not at all; only ever one of this machine. */
  write(name: SegmentName, bytes: Uint8Array): Promise<void>
  remove(names: readonly SegmentName[]): Promise<void>
  /** From now on the others can see what was written. */
  finish(): Promise<void>
}
