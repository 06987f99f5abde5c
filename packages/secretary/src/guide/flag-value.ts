import { createHash } from 'node:crypto'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import * as z from 'zod'

const MAX_ENTRIES = 100
const MAX_VALUE = 4_000

const texts = z.array(z.string())

export const flagValue = z
  .union([z.boolean(), z.string(), texts, z.record(z.string(), z.union([z.string(), texts]))], {
    error:
      'A flag value is a boolean, a string, a list of strings, or a map of string to string or list',
  })
  .refine(
    isSmall,
    `A flag value has at most ${MAX_ENTRIES} entries and ${MAX_VALUE} characters, none of them NUL`,
  )

export type FlagValue = z.output<typeof flagValue>
export type Flags = Readonly<Record<string, FlagValue>>

/** Flags that mean something to the guide itself, with the values they may have. */
export const knownFlags: Readonly<Record<string, readonly string[]>> = {
  'content-format': ['none', 'plain', 'mime'],
}

const YES = new Set(['true', 'on', 'yes', 'enabled', 'enable', '1'])
const NO = new Set(['false', 'off', 'no', 'disabled', 'disable', '0', ''])

/** `on`, `yes`, `enabled` and the like count as booleans. */
export function asBoolean(value: FlagValue | undefined): boolean {
  if (typeof value === 'boolean') return value
  if (value === undefined) return false
  if (typeof value === 'string') return !NO.has(value.trim().toLowerCase())
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0
}

/** Whether a flag has what a document requires: a boolean, a text, or any text of a list. */
export function meets(required: FlagValue, value: FlagValue | undefined): boolean {
  if (typeof required === 'boolean') return asBoolean(value) === required
  if (Array.isArray(required)) return required.some((one) => holds(value, one))
  if (typeof required === 'string') return holds(value, required)
  return Object.entries(required).every(([key, wanted]) => meets(wanted, entryOf(value, key)))
}

function holds(value: FlagValue | undefined, wanted: string): boolean {
  if (value === undefined) return false
  if (typeof value === 'boolean')
    return value ? YES.has(wanted.toLowerCase()) : NO.has(wanted.toLowerCase())
  if (typeof value === 'string') return value === wanted
  return Array.isArray(value) ? value.includes(wanted) : Object.hasOwn(value, wanted)
}

function entryOf(value: FlagValue | undefined, key: string): FlagValue | undefined {
  return typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined
}

function isSmall(value: boolean | string | object): boolean {
  const entries = typeof value === 'object' ? Object.values(value).flat().length : 1
  const text = JSON.stringify(value)
  return entries <= MAX_ENTRIES && text.length <= MAX_VALUE && !text.includes('\\u0000')
}

/** Whose flags count in a project: operators share the project's own; a member has theirs, and nobody else's. */
export function flagScopeOf({ user, role }: Pick<Caller, 'user' | 'role'>, key: string): string {
  if (role === 'operator') return key
  return createHash('sha256').update(`${user}\0${key}`).digest('hex').slice(0, 32)
}
