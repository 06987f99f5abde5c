import { join } from 'node:path'
import type {
  DialogCarrier,
  OwnDialog,
  Row,
  RowCarrier,
} from '@secretary-mcp/secretary/sync/carriers.ts'
import { type Given, type Round, syncRound } from '@secretary-mcp/secretary/sync/round.ts'
import { createKey, createSealer } from '@secretary-mcp/secretary/sync/seal.ts'
import type { Transport, Value } from '@secretary-mcp/secretary/sync/segment.ts'
import { sqliteSyncState } from '@secretary-mcp/secretary/sync/store/sqlite-sync-state.ts'
import { newMachine } from '@secretary-mcp/secretary/sync/sync.ts'
import { folderTransport } from '@secretary-mcp/secretary/sync/transports/folder-transport.ts'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

type Values = Record<string, Value>

export const machineKey = createKey()

/** A machine with what a person keeps on it, as plain lists; its memory, its log and the folder are real. */
export interface SyncMachine {
  readonly id: string
  readonly given: Given
  readonly tasks: Map<string, Values>
  readonly dialogs: Map<string, { text: string; group: string; isOwn: boolean }>
  readonly forgotten: Set<string>
  addTask(title: string): string
  say(id: string, text: string): void
  forget(group: string): void
  round(changes?: Partial<Given>): Promise<Round>
  /** What a person would see here. */
  shown(): { tasks: string[]; dialogs: string[] }
}

export function syncMachine(
  folder: string,
  { key = machineKey, now }: { readonly key?: Buffer; readonly now?: () => number } = {},
): SyncMachine {
  const id = newMachine()
  const state = sqliteSyncState(join(temporaryFolder(), 'sync.db'))
  onTestFinished(() => state.close())
  const tasks = new Map<string, Values>()
  const dialogs: SyncMachine['dialogs'] = new Map()
  const forgotten = new Set<string>()
  const forget = (group: string) => {
    forgotten.add(group)
    for (const [name, dialog] of dialogs) if (dialog.group === group) dialogs.delete(name)
  }
  const given: Given = {
    machine: id,
    transport: folderTransport(folder),
    sealer: createSealer(key),
    state,
    dialogs: dialogCarrier(dialogs, forgotten, forget),
    rows: [taskCarrier(id, tasks)],
    now,
  }
  let added = 0
  return {
    id,
    given,
    tasks,
    dialogs,
    forgotten,
    forget,
    addTask(title) {
      const local = `${++added}`
      tasks.set(local, { title, completed: false, created_at: `${id}-${local}` })
      return local
    },
    say: (name, text) => void dialogs.set(name, { text, group: `g/${name}`, isOwn: true }),
    round: (changes = {}) => syncRound({ ...given, ...changes }),
    shown: () => ({
      tasks: [...tasks.values()].map((values) => JSON.stringify(values)).sort(),
      dialogs: [...dialogs].map(([name, { text }]) => `${name}: ${text}`).sort(),
    }),
  }
}

/** Fails when it is used for the n-th time, as if the process had been killed there. */
export function dyingTransport(transport: Transport, afterCalls: number): Transport {
  let calls = 0
  const mortal =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (calls++ >= afterCalls) throw new Error('killed')
      return work(...args)
    }
  return {
    begin: mortal(transport.begin),
    list: mortal(transport.list),
    read: mortal(transport.read),
    write: mortal(transport.write),
    remove: mortal(transport.remove),
    finish: mortal(transport.finish),
  }
}

function dialogCarrier(
  dialogs: SyncMachine['dialogs'],
  forgotten: Set<string>,
  forget: (group: string) => void,
): DialogCarrier {
  return {
    async own() {
      return [...dialogs].flatMap(([id, { text, isOwn }]): OwnDialog[] =>
        isOwn ? [{ id, stamp: text, isRemoved: false }] : [],
      )
    },
    async pack(id) {
      const { text, group = '' } = dialogs.get(id) ?? {}
      return text === undefined ? undefined : { group, body: { text, group } }
    },
    async take(id, body) {
      const { text, group } = body as { text: string; group: string }
      if (forgotten.has(group) || dialogs.get(id)?.isOwn) return false
      dialogs.set(id, { text, group, isOwn: false })
      return true
    },
    drop: async (id) => dialogs.delete(id),
    forgotten: async () => [...forgotten],
    async forget(group) {
      const isHere = [...dialogs.values()].some((dialog) => dialog.group === group)
      forget(group)
      return isHere
    },
  }
}

function taskCarrier(machine: string, tasks: Map<string, Values>): RowCarrier {
  const names = new Map<string, string>()
  const rowOf = (local: string, values: Values): Row => ({
    local,
    id: names.get(local) ?? `${machine}/${local}`,
    values: { ...values },
    edition: JSON.stringify(values),
    editedMs: 1_700_000_000_000,
  })
  return {
    type: 'task',
    fixed: ['created_at'],
    rows: async () => [...tasks].map(([local, values]) => rowOf(local, values)),
    async find(local) {
      const values = tasks.get(local)
      return values && rowOf(local, values)
    },
    async add(id, values) {
      const local = `r-${id}`
      names.set(local, id)
      tasks.set(local, { ...values })
      return local
    },
    async change({ local, edition }, values) {
      if (JSON.stringify(tasks.get(local)) !== edition) return false
      tasks.set(local, { ...tasks.get(local), ...values })
      return true
    },
    remove: async (local) => void tasks.delete(local),
  }
}
