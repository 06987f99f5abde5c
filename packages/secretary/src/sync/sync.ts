import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import * as z from 'zod'
import type { Counts, DialogCarrier, RowCarrier } from './carriers.ts'
import { requireRightKey } from './receive.ts'
import { type Given, type Round, syncRound, wouldSend } from './round.ts'
import { createKey, createSealer, parseKey, shownKey } from './seal.ts'
import { bySequence, type Transport } from './segment.ts'
import type { SyncState } from './store/sqlite-sync-state.ts'
import { alreadySetUp, keyNeeded, notSetUp } from './sync-failures.ts'

const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  z.object({ kind: z.literal('git'), url: z.string() }),
  z.object({ kind: z.literal('database') }),
])
const settings = z.object({
  /** Random, so that it tells nothing; another one after every `init`. */
  machine: z.string().regex(/^[0-9a-f]{16}$/),
  place,
  /** As it is shown; absent where the environment has it, or none is needed. */
  key: z.string().optional(),
})

interface Parts {
  readonly home: string
  /** The key that the environment has, as a person would type it. */
  readonly environmentKey?: string
  readonly transportOf: (place: Place, machine: string) => Transport
  readonly openState: () => SyncState
  /** What is moved, for this machine's name. */
  readonly carriersOf: (machine: string) => Promise<Carriers>
  /** What a machine remembers of its rounds. */
  readonly removeTraces: () => Promise<void>
}

export interface Carriers {
  readonly dialogs: DialogCarrier
  readonly rows: readonly RowCarrier[]
  readonly databaseId?: string
}

export interface SyncStatus {
  readonly place: string
  readonly machine: string
  readonly isEncrypted: boolean
  readonly others: { readonly machine: string; readonly segments: number }[]
  readonly waiting: Counts
}

/** What the command does, each as one step. */
export class Sync {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Gives the new key, where this is the first machine: it is shown once. */
  async init(place: Place, given?: string): Promise<{ machine: string; newKey?: string }> {
    const { home, environmentKey, transportOf } = this.#parts
    const known = findSettings(home)
    if (known) throw alreadySetUp(shownPlace(known.place))
    const machine = newMachine()
    const transport = transportOf(place, machine)
    await transport.begin()
    const names = (await transport.list()).sort(bySequence)
    if (place.kind === 'database') {
      saveSettings(home, { machine, place })
      return { machine }
    }
    const typed = given ?? environmentKey
    if (typed === undefined && names.length > 0) throw keyNeeded()
    const key = typed === undefined ? createKey() : parseKey(typed)
    // A key that does not fit is noticed now, not when something was written with it.
    await requireRightKey({ transport, sealer: createSealer(key) }, names)
    const isInEnvironment = given === undefined && environmentKey !== undefined
    saveSettings(home, { machine, place, ...(isInEnvironment ? {} : { key: shownKey(key) }) })
    return { machine, ...(typed === undefined ? { newKey: shownKey(key) } : {}) }
  }

  round(): Promise<Round> {
    return this.#with((given) => syncRound(given))
  }

  wouldSend(): Promise<Counts> {
    return this.#with((given) => wouldSend(given))
  }

  status(): Promise<SyncStatus> {
    return this.#with(async (given, { machine, place }) => ({
      place: shownPlace(place),
      machine,
      isEncrypted: place.kind !== 'database',
      others: [...(await given.state.positions())].map(([name, { sequence }]) => ({
        machine: name,
        segments: sequence,
      })),
      waiting: await wouldSend(given),
    }))
  }

  /** What came stays here; what was sent stays there, unless it is to be removed. */
  async leave({ isRemoved }: { readonly isRemoved: boolean }): Promise<void> {
    const { home, transportOf, removeTraces } = this.#parts
    if (isRemoved) {
      const settings = findSettings(home)
      if (!settings) throw notSetUp()
      const { machine, place } = settings
      const transport = transportOf(place, machine)
      await transport.begin()
      await transport.remove((await transport.list()).filter((name) => name.machine === machine))
      await transport.finish()
    }
    removeSettings(home)
    await removeTraces()
  }

  async #with<T>(work: (given: Given, settings: SyncSettings) => Promise<T>): Promise<T> {
    const { home, environmentKey, transportOf, openState, carriersOf } = this.#parts
    const settings = findSettings(home)
    if (!settings) throw notSetUp()
    const { machine, place } = settings
    const typed = environmentKey ?? settings.key
    if (place.kind !== 'database' && typed === undefined) throw keyNeeded()
    const key = place.kind === 'database' || typed === undefined ? undefined : parseKey(typed)
    const state = openState()
    try {
      const given = {
        ...{ machine, state, transport: transportOf(place, machine), sealer: createSealer(key) },
        ...(await carriersOf(machine)),
      }
      return await work(given, settings)
    } finally {
      await state.close()
    }
  }
}

function shownPlace(place: Place): string {
  if (place.kind === 'folder') return place.folder
  return place.kind === 'git' ? redact(place.url) : 'the team’s database'
}

export type Place = z.output<typeof place>

type SyncSettings = z.output<typeof settings>

export function newMachine(): string {
  return randomBytes(8).toString('hex')
}

function findSettings(home: string): SyncSettings | undefined {
  let text: string
  try {
    text = readFileSync(fileIn(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(home)
  }
  try {
    return settings.parse(JSON.parse(text))
  } catch {
    throw unreadable(home)
  }
}

/** For its owner's eyes alone: it holds the key. */
function saveSettings(home: string, given: SyncSettings): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const draft = join(home, `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(draft, `${JSON.stringify(given, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    renameSync(draft, fileIn(home))
  } finally {
    rmSync(draft, { force: true })
  }
}

function removeSettings(home: string): void {
  rmSync(fileIn(home), { force: true })
}

function fileIn(home: string): string {
  return join(home, 'sync.json')
}

function unreadable(home: string): Failure {
  return new Failure(
    'sync_not_set_up',
    `${fileIn(home)} cannot be read; \`secretary sync leave\` removes it`,
  )
}
