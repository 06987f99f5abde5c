import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dyingTransport, syncMachine } from '../../../../test/support/sync-machine.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createKey, createSealer } from './seal.ts'
import { sqliteSyncState } from './store/sqlite-sync-state.ts'
import { folderTransport } from './transports/folder-transport.ts'

const pair = () => {
  const folder = temporaryFolder()
  return { folder, a: syncMachine(folder), b: syncMachine(folder) }
}
const segmentsOf = (folder: string, machine: string) => readdirSync(join(folder, machine)).sort()
const allBytes = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('')

const STRANGER = '0123456789abcdef'
const sealedElsewhere = (folder: string) => {
  const name = { machine: STRANGER, generation: 1, sequence: 1 }
  mkdirSync(join(folder, STRANGER))
  writeFileSync(join(folder, STRANGER, '1-1.seal'), createSealer(createKey()).seal(name, '', []))
}

describe('a round', () => {
  it('brings what one machine has to the other, and the second one changes nothing', async () => {
    const { folder, a, b } = pair()
    a.addTask('buy zebrafinch')
    a.say('d1', 'the hummingbird request')
    const first = await a.round()
    expect(first.sent).toEqual({ dialogs: 1, tasks: 1, discoveries: 0, forgotten: 0 })
    expect((await b.round()).received).toMatchObject({ dialogs: 1, tasks: 1, problems: [] })
    expect(b.shown()).toEqual(a.shown())
    const before = allBytes(folder)
    for (const machine of [a, b, a]) {
      const { sent, received } = await machine.round()
      expect({ ...sent, ...received }).toMatchObject({ dialogs: 0, tasks: 0, forgotten: 0 })
    }
    expect(allBytes(folder)).toBe(before)
    expect(before).not.toContain('zebrafinch')
    expect(before).not.toContain('hummingbird')
  })

  it('keeps both edits of one task where they touch different fields, and the later one of a field', async () => {
    const { a, b } = pair()
    const local = a.addTask('one')
    await a.round()
    await b.round()
    const [there = ''] = b.tasks.keys()
    a.tasks.set(local, { ...a.tasks.get(local), title: 'earlier' })
    await a.round()
    b.tasks.set(there, { ...b.tasks.get(there), completed: true, title: 'later' })
    await b.round()
    await a.round()
    expect(a.tasks.get(local)).toMatchObject({ title: 'later', completed: true })
    expect(b.shown()).toEqual(a.shown())
  })

  it('takes the later edit although the clock of its machine was set back', async () => {
    const folder = temporaryFolder()
    const a = syncMachine(folder, { now: () => 1_900_000_000_000 })
    const b = syncMachine(folder, { now: () => 1_000_000_000_000 })
    const local = a.addTask('one')
    await a.round()
    await b.round()
    const [there = ''] = b.tasks.keys()
    b.tasks.set(there, { ...b.tasks.get(there), title: 'said last' })
    await b.round()
    await a.round()
    expect(a.tasks.get(local)?.title).toBe('said last')
  })

  it('deletes a task there too, also where it was edited meanwhile', async () => {
    const { a, b } = pair()
    const local = a.addTask('one')
    await a.round()
    await b.round()
    const [there = ''] = b.tasks.keys()
    b.tasks.set(there, { ...b.tasks.get(there), title: 'edited' })
    a.tasks.delete(local)
    expect((await a.round()).sent.forgotten).toBe(1)
    expect((await b.round()).received.forgotten).toBe(1)
    await a.round()
    expect([a.tasks.size, b.tasks.size]).toEqual([0, 0])
  })

  it('forgets a dialog on the others, and writes its log again without it', async () => {
    const { folder, a, b } = pair()
    const c = syncMachine(folder)
    a.say('d1', 'secret plans')
    a.say('d2', 'the rest')
    for (const machine of [a, b, c]) await machine.round()
    expect(segmentsOf(folder, a.id)).toEqual(['1-1.seal'])
    b.forget('g/d1')
    for (const machine of [b, a, c]) await machine.round()
    for (const machine of [a, b, c])
      expect(machine.shown().dialogs, machine.id).toEqual(['d2: the rest'])
    expect(segmentsOf(folder, a.id)).toEqual(['2-1.seal'])
    a.say('d1', 'secret plans again')
    for (const machine of [a, b, c]) await machine.round()
    expect(b.shown().dialogs).toEqual(['d2: the rest'])
    const late = syncMachine(folder)
    await late.round()
    expect(late.shown().dialogs).toEqual(['d2: the rest'])
  })

  it('does not bring back what a machine had deleted or forgotten whose log is gone since', async () => {
    const { folder, a, b } = pair()
    a.addTask('one')
    a.say('d1', 'one')
    for (const machine of [a, b]) await machine.round()
    b.tasks.clear()
    b.forget('g/d1')
    for (const machine of [b, a]) await machine.round()
    rmSync(join(folder, b.id), { recursive: true })
    const late = syncMachine(folder)
    await late.round()
    expect(late.shown()).toEqual({ tasks: [], dialogs: [] })
    expect((await a.round()).received.problems).toEqual([expect.stringContaining(b.id)])
    expect((await a.round()).received.problems).toEqual([])
  })

  it('rewrites its log where it says most things several times', async () => {
    const { folder, a, b } = pair()
    const versions = ['one', 'two', 'three', 'four', 'five']
    for (const version of versions) {
      a.say('d1', version.padEnd(5 << 20))
      a.addTask(version)
      await a.round()
    }
    expect(segmentsOf(folder, a.id)).toEqual(['2-1.seal'])
    await b.round()
    expect(b.shown()).toEqual(a.shown())
    expect((await a.round()).sent).toMatchObject({ dialogs: 0, tasks: 0 })
  })

  it('leaves a segment alone that has not arrived whole, and goes on when it has', async () => {
    const { folder, a, b } = pair()
    a.addTask('one')
    await a.round()
    a.addTask('two')
    await a.round()
    const path = join(folder, a.id, '1-1.seal')
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, 300))
    expect((await b.round()).received).toMatchObject({ tasks: 0, incomplete: [a.id] })
    rmSync(path)
    expect((await b.round()).received).toMatchObject({ tasks: 0, incomplete: [a.id] })
    writeFileSync(path, whole)
    expect((await b.round()).received).toMatchObject({ tasks: 2, incomplete: [] })
    expect(b.shown()).toEqual(a.shown())
  })

  it('refuses another key, and changes nothing', async () => {
    const folder = temporaryFolder()
    const a = syncMachine(folder)
    a.addTask('one')
    await a.round()
    const stranger = syncMachine(folder, { key: createKey() })
    stranger.addTask('mine')
    const before = allBytes(folder)
    await expect(stranger.round()).rejects.toMatchObject({ errorType: 'wrong_key' })
    expect(allBytes(folder)).toBe(before)
    expect(stranger.tasks.size).toBe(1)
  })

  it('notices segments that were swapped, put in again under another number, or removed', async () => {
    const { folder, a } = pair()
    for (const title of ['one', 'two', 'three']) {
      a.addTask(title)
      await a.round()
    }
    const at = (sequence: number) => join(folder, a.id, `1-${sequence}.seal`)
    const problemsFor = async () => (await syncMachine(folder).round()).received
    renameSync(at(1), at(9))
    renameSync(at(2), at(1))
    renameSync(at(9), at(2))
    expect(await problemsFor()).toMatchObject({ tasks: 0, problems: [expect.any(String)] })
    renameSync(at(2), at(9))
    renameSync(at(1), at(2))
    renameSync(at(9), at(1))
    const b = syncMachine(folder)
    expect((await b.round()).received).toMatchObject({ tasks: 3, problems: [] })
    writeFileSync(at(4), readFileSync(at(2)))
    expect((await b.round()).received.problems).toEqual([expect.stringContaining('1-4.seal')])
    rmSync(at(4))
    rmSync(at(3))
    expect((await b.round()).received.problems).toEqual([expect.stringContaining('removed')])
    await expect(a.round()).rejects.toMatchObject({ errorType: 'sync_damaged' })
    expect(b.tasks.size).toBe(3)
  })

  it('reads the log of one machine although that of another is damaged', async () => {
    const { folder, a, b } = pair()
    a.addTask('one')
    b.addTask('two')
    await a.round()
    await b.round()
    const path = join(folder, a.id, '1-1.seal')
    const bytes = readFileSync(path)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(path, bytes)
    const c = syncMachine(folder)
    const { received } = await c.round()
    expect(received.problems).toHaveLength(1)
    expect(c.shown().tasks).toEqual([expect.stringContaining('two')])
  })

  it.each([
    ['with another key', (folder: string) => sealedElsewhere(folder)],
    [
      'that is a folder',
      (folder: string) => mkdirSync(join(folder, STRANGER, '1-1.seal'), { recursive: true }),
    ],
    [
      'that is a link to itself',
      (folder: string) => {
        mkdirSync(join(folder, STRANGER))
        symlinkSync('1-1.seal', join(folder, STRANGER, '1-1.seal'))
      },
    ],
    [
      'of zeros that is larger than the memory',
      (folder: string) => {
        mkdirSync(join(folder, STRANGER))
        writeFileSync(join(folder, STRANGER, '1-1.seal'), '')
        truncateSync(join(folder, STRANGER, '1-1.seal'), 1 << 30)
      },
    ],
    [
      'of noise',
      (folder: string) => {
        mkdirSync(join(folder, STRANGER))
        writeFileSync(join(folder, STRANGER, '1-1.seal'), 'x'.repeat(5_000))
      },
    ],
  ])('warns of a planted file %s and moves everything else', async (_what, plant) => {
    const { folder, a, b } = pair()
    a.addTask('one')
    await a.round()
    plant(folder)
    b.addTask('two')
    for (const machine of [b, a]) {
      const { problems } = (await machine.round()).received
      expect(problems).toEqual([expect.stringContaining(`${STRANGER}/1-1.seal`)])
    }
    expect(a.shown().tasks).toHaveLength(2)
    expect(b.shown()).toEqual(a.shown())
  })

  it.each(['1-7.seal', '1-2.seal', '9-1.seal', '999999999-999999999.seal'])(
    'goes on although somebody planted %s among the files of a machine',
    async (name) => {
      const { folder, a, b } = pair()
      a.addTask('one')
      for (const machine of [a, b]) await machine.round()
      writeFileSync(join(folder, a.id, name), 'x'.repeat(5_000))
      a.addTask('two')
      const { problems } = (await a.round()).received
      expect(problems).toEqual([expect.stringContaining('was not written by this machine')])
      await b.round()
      const late = syncMachine(folder)
      await late.round()
      for (const machine of [b, late]) expect(machine.tasks.size).toBe(2)
    },
  )

  it('killed at any point, it is finished by the next one', async () => {
    for (let calls = 0; calls < 8; calls++) {
      const { folder, a, b } = pair()
      b.addTask('theirs')
      b.say('d2', 'theirs')
      await b.round()
      a.addTask('mine')
      a.say('d1', 'mine')
      const dying = dyingTransport(folderTransport(folder), calls)
      await a.round({ transport: dying }).catch(() => {})
      await a.round()
      await b.round()
      await a.round()
      expect(a.tasks.size, String(calls)).toBe(2)
      expect(b.shown(), String(calls)).toEqual(a.shown())
    }
  })

  it('goes on with a segment that was written just before it was killed', async () => {
    const { folder, a, b } = pair()
    a.addTask('one')
    a.say('d1', 'mine')
    const state = { ...a.given.state, saveSent: async () => Promise.reject(new Error('killed')) }
    await expect(a.round({ state })).rejects.toThrow('killed')
    expect(segmentsOf(folder, a.id)).toEqual(['1-1.seal'])
    expect((await a.round()).sent).toMatchObject({ dialogs: 0, tasks: 0 })
    expect(segmentsOf(folder, a.id)).toEqual(['1-1.seal'])
    await b.round()
    expect(b.shown()).toEqual(a.shown())
  })

  it('goes on without its memory where its log says enough, and refuses where it does not', async () => {
    const { folder, a, b } = pair()
    a.addTask('one')
    a.say('d1', 'one')
    await a.round()
    const lost = () => {
      const state = sqliteSyncState(join(temporaryFolder(), 'sync.db'))
      onTestFinished(() => state.close())
      return state
    }
    expect((await a.round({ state: lost() })).sent).toMatchObject({ dialogs: 0, tasks: 0 })
    expect(segmentsOf(folder, a.id)).toEqual(['1-1.seal'])
    a.forget('g/d1')
    await a.round()
    await expect(a.round({ state: lost() })).rejects.toMatchObject({ errorType: 'sync_damaged' })
    await b.round()
    expect(b.shown()).toEqual(a.shown())
  })

  it('does not take a row for a new one that a killed round had just added', async () => {
    const { a, b } = pair()
    a.addTask('one')
    await a.round()
    const state = { ...b.given.state }
    let saves = 0
    state.save = async (records) => {
      if (records.some(({ type }) => type === 'task') && ++saves === 1) throw new Error('killed')
      return b.given.state.save(records)
    }
    await expect(b.round({ state })).rejects.toThrow('killed')
    expect(b.tasks.size).toBe(1)
    await b.round()
    await a.round()
    expect([a.tasks.size, b.tasks.size]).toEqual([1, 1])
  })

  it('runs once at a time, and refuses a database that is not the one of the last round', async () => {
    const { a } = pair()
    const lock = await a.given.state.lock()
    await expect(a.round()).rejects.toMatchObject({ errorType: 'sync_busy' })
    await lock?.release()
    a.addTask('one')
    await a.round({ databaseId: 'one' })
    a.tasks.clear()
    await expect(a.round({ databaseId: 'two' })).rejects.toMatchObject({
      errorType: 'sync_database_changed',
    })
  })
})
