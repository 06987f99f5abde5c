import { Failure } from '@secretary-mcp/core/failure.ts'

/** One file of a machine's log. A new generation holds everything that is still worth saying, and replaces those before. */
export interface SegmentName {
  readonly machine: string
  readonly generation: number
  readonly sequence: number
}

/** How far a machine's log was read or written. */
export interface Position {
  readonly generation: number
  readonly sequence: number
  /** Hash of the last segment: the next one names it. */
  readonly chain: string
}

export const NOT_BEGUN: Position = { generation: 1, sequence: 0, chain: '' }

const NAME = /^([0-9a-f]{16})\/(\d{1,9})-(\d{1,9})\.seal$/

export function segmentPath({ machine, generation, sequence }: SegmentName): string {
  return `${machine}/${generation}-${sequence}.seal`
}

/** Undefined for what is no segment: a synchronised folder may hold anything. */
export function segmentAt(path: string): SegmentName | undefined {
  const [, machine = '', generation, sequence] = NAME.exec(path) ?? []
  return machine === ''
    ? undefined
    : { machine, generation: Number(generation), sequence: Number(sequence) }
}

export function bySequence(one: SegmentName, other: SegmentName): number {
  return one.generation - other.generation || one.sequence - other.sequence
}

/** Larger ones are not read: a file that somebody planted must not fill the memory. */
export const MAX_SEGMENT_BYTES = 512 << 20

export function unreadableSegment(name: SegmentName, reason: string): Failure {
  return new Failure('sync_damaged', `${segmentPath(name)} was left out: ${reason}`)
}

export function damagedSegment(name: SegmentName): Failure {
  return new Failure(
    'sync_damaged',
    `${segmentPath(name)} is damaged, or not what that machine wrote there`,
  )
}

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
