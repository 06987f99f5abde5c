import * as z from 'zod'

export const ROW_TYPES = ['task', 'discovery'] as const
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
const named = { id: z.string().min(1), version: z.string().min(1) }

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
