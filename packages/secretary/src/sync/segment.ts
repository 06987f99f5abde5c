import { Failure } from '@secretary-mcp/core/failure.ts'
import * as z from 'zod'

const ROW_TYPES = ['task', 'discovery'] as const
const named = { id: z.string().min(1), version: z.string().min(1) }

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

export type RowType = (typeof ROW_TYPES)[number]

export type RecordType = 'dialog' | 'forget' | RowType

export type Value = string | number | boolean | null | readonly Value[]

/** Each field with the version of its last change: of two the newer wins, so two edits of one row are both kept. */
export type Fields = Readonly<Record<string, readonly [Value, string]>>

/** One thing that a machine says to the person's others. */
export type SyncRecord =
  | {
      readonly type: 'dialog'
      readonly id: string
      readonly version: string
      /** Of the file as it was read, so that one that did not change is not sent again. */
      readonly stamp: string
      /** What `forget` would name. */
      readonly group: string
      /** Absent once the person has deleted the file. */
      readonly body?: unknown
    }
  | {
      readonly type: 'forget'
      readonly id: string
      readonly version: string
    }
  | {
      readonly type: RowType
      readonly id: string
      readonly version: string
      readonly fields: Fields
      /** Nothing brings it back. */
      readonly deleted?: true
    }

const value: z.ZodType<Value> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(value)]),
)

const schema: z.ZodType<SyncRecord> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('dialog'),
    ...named,
    stamp: z.string(),
    group: z.string(),
    body: z.unknown().optional(),
  }),
  z.object({ type: z.literal('forget'), ...named }),
  z.object({
    type: z.enum(ROW_TYPES),
    ...named,
    fields: z.record(z.string(), z.tuple([value, z.string()])),
    deleted: z.literal(true).optional(),
  }),
])

/** Undefined for a type that a later Secretary made up: what it says is not for this one. */
export function parseRecord(given: unknown): SyncRecord | undefined {
  return schema.safeParse(given).data
}
