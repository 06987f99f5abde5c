import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  dyingTransport,
  type SyncMachine,
  syncMachine,
} from '../../../../test/support/sync-machine.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { folderTransport } from './transports/folder-transport.ts'

const machine = fc.integer({ min: 0, max: 2 })
const small = fc.integer({ min: 0, max: 5 })
const act = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), machine, small }),
  fc.record({ kind: fc.constant('rename' as const), machine, small }),
  fc.record({ kind: fc.constant('complete' as const), machine, small }),
  fc.record({ kind: fc.constant('delete' as const), machine, small }),
  fc.record({ kind: fc.constant('say' as const), machine, small }),
  fc.record({ kind: fc.constant('forget' as const), machine, small }),
  fc.record({ kind: fc.constant('set the clock' as const), machine, small }),
  fc.record({ kind: fc.constant('killed' as const), machine, small }),
  fc.record({ kind: fc.constant('sync' as const), machine, small }),
)

it('machines that act and sync in any order, with any clocks, and are killed, show the same in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
      const folder = temporaryFolder()
      const clocks = [1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_000]
      const machines = clocks.map((_, place) =>
        syncMachine(folder, { now: () => (clocks[place] = (clocks[place] ?? 0) + 1) }),
      )
      const forgotten = new Set<string>()
      const deleted = new Set<unknown>()
      for (const [step, { kind, machine: place, small: number }] of acts.entries()) {
        const at = machines[place] as SyncMachine
        const local = [...at.tasks.keys()][number]
        const task = local === undefined ? undefined : at.tasks.get(local)
        const edit = (change: object) =>
          local !== undefined && at.tasks.set(local, { ...task, ...change })
        const dialog = `d${place}-${number}`
        const known = [...at.dialogs.values()][number]
        if (kind === 'add') at.addTask(`task ${step}`)
        if (kind === 'rename') edit({ title: `renamed ${step}` })
        if (kind === 'complete') edit({ completed: true })
        if (kind === 'delete' && local !== undefined) {
          deleted.add(task?.created_at)
          at.tasks.delete(local)
        }
        if (kind === 'say' && !at.forgotten.has(`g/${dialog}`)) at.say(dialog, `words ${step}`)
        if (kind === 'forget' && known) {
          forgotten.add(known.group)
          at.forget(known.group)
        }
        if (kind === 'set the clock') clocks[place] = 1_800_000_000_000 + (number - 2) * 1e10
        if (kind === 'killed')
          await at
            .round({ transport: dyingTransport(folderTransport(folder), number) })
            .catch(() => {})
        if (kind === 'sync') await at.round()
      }
      for (const at of [...machines, ...machines]) await at.round()
      const [first, ...others] = machines.map((at) => at.shown())
      for (const other of others) expect(other).toEqual(first)
      const [one] = machines
      for (const { group } of one?.dialogs.values() ?? []) expect(forgotten).not.toContain(group)
      for (const { created_at } of one?.tasks.values() ?? [])
        expect(deleted).not.toContain(created_at)
      for (const at of machines)
        expect((await at.round()).sent).toMatchObject({ tasks: 0, dialogs: 0 })
    }),
    { numRuns: 25 },
  )
})
