import { realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { EntryForm } from './entry-form.ts'
import { type ServerEntry, serverEntry, sharedEntry } from './server-entry.ts'
import { isRecord } from './with-json-value.ts'

/** What clients let a person switch. Any other field that we do not write can decide what our tools may do unasked. */
const SWITCHES: Readonly<Record<string, boolean>> = { enabled: true, disabled: false }

export interface EntryWanted {
  readonly form: EntryForm
  /** What an entry for this client may name as the project. */
  readonly projects: readonly string[]
}

/**
 * Whether an entry named `secretary` is what we would write: a repository can bring one of that name that starts something else,
 * or starts us with an environment of its own.
 */
export function isOurEntry(found: unknown, wanted: EntryWanted): boolean {
  return startsUs(found, wanted) && hasNothingElse(found, wanted.form)
}

/** Its command and arguments are ours, whatever else a person added to it. */
export function startsUs(found: unknown, { form, projects }: EntryWanted): boolean {
  return entriesOf(projects).some((entry) => {
    const shape: Readonly<Record<string, unknown>> = { ...form.shape(entry) }
    return (
      isRecord(found) &&
      ['command', 'args'].every((key) =>
        isDeepStrictEqual(plainCommand(found[key]), plainCommand(shape[key])),
      )
    )
  })
}

function hasNothingElse(found: unknown, form: EntryForm): boolean {
  const shape: Readonly<Record<string, unknown>> = { ...form.shape(serverEntry()) }
  return (
    isRecord(found) &&
    Object.entries(found).every(
      ([key, value]) =>
        key === 'command' ||
        key === 'args' ||
        (Object.hasOwn(SWITCHES, key) && SWITCHES[key] === value) ||
        isDeepStrictEqual(value, shape[key]),
    )
  )
}

/** Every way in which this version or an earlier one starts itself. */
function entriesOf(projects: readonly string[]): ServerEntry[] {
  const places = [undefined, ...projects]
  const entries = places.flatMap((project) =>
    [true, false].flatMap((namesServer) => [
      serverEntry({ namesServer, project }),
      sharedEntry({ namesServer, project }),
    ]),
  )
  const earlier = [
    ['--tools', 'core'],
    ['--tools', 'core', '--descriptions', 'compact'],
  ].flatMap((missing) =>
    entries.map(({ command, args }) => ({
      command,
      args: args.filter((arg) => !missing.includes(arg)),
    })),
  )
  return [...entries, ...earlier]
}

/** One spelling for a program that is reached by several paths. */
function plainCommand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCommand)
  if (typeof value !== 'string') return value
  return isAbsolute(value) ? realOrSame(value) : value
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
