import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Note } from '@secretary-mcp/search/search-types.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { openFreshSqlite } from '../../../../../test/support/engines.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import type { Database } from '../../storage/database.ts'
import { createDiscoveryStore, rowOf } from '../store/discovery-store.ts'
import { Discoveries } from './discoveries.ts'
import type { Discovery } from './discovery.ts'
import {
  type FedDialog,
  type FedTurn,
  feedDialogs,
  feedDiscoveries,
  feedFromOthers,
  turnOf,
} from './feed.ts'

const { signal } = new AbortController()
let gone: string[] = []
const latest = async () => 3
const isReading = () => false

function fakeEngine() {
  const notes = new Map<string, Note>()
  const read = new Map<string, number>()
  let soFar: [string, string][] = []
  return {
    notes,
    async putNotes(given: readonly Note[]) {
      for (const note of given) notes.set(note.id, note)
    },
    async removeNotes(_scope: string, ids: readonly string[]) {
      for (const id of ids) notes.delete(id)
    },
    noteIdsUnder: async (_scope: string, prefix: string) =>
      [...notes.keys()].filter((id) => id.startsWith(prefix)),
    async removeNotesUnder(_scope: string, prefix: string) {
      for (const id of [...notes.keys()]) if (id.startsWith(prefix)) notes.delete(id)
    },
    readUntil: async (user: string) => read.get(user) ?? 0,
    setReadUntil: async (user: string, moment: number) => void read.set(user, moment),
    readSoFar: async () => new Map(soFar),
    async setReadSoFar(_user: string, given: ReadonlyMap<string, string>) {
      soFar = [...given]
    },
    lose() {
      notes.clear()
      read.clear()
    },
  }
}

const turn = (
  sessionId: string,
  position: number,
  request: string,
  answer?: string,
  typed = request,
): FedTurn => ({
  sessionId,
  position,
  time: Date.UTC(2026, 0, position),
  request,
  typed,
  answer,
})

const noted = (content: string): Discovery => ({
  id: content,
  type: 'rule',
  content,
  date: new Date().toISOString(),
  confidence: 1,
  origin: 'recorded',
  files: [],
  sources: [],
  accessCount: 0,
  archived: false,
})

describe('feeding dialogs', () => {
  let database: Database | undefined
  afterEach(() => database?.close())

  const insertAll = async ({ user, project }: Caller, all: readonly Discovery[]) => {
    const rows = all.map((one) => ({ ...rowOf(one), user_id: user, project }))
    await (database as Database).use((db) => db.insertInto('discoveries').values(rows).execute())
  }

  const setUp = async () => {
    database = await openFreshSqlite()
    const discoveries = new Discoveries(createDiscoveryStore(database))
    return {
      discoveries,
      caller: { user: 'ada', project: temporaryFolder() },
      index: fakeEngine(),
    }
  }

  it('C14 goes by the number of a change, not by a clock that may be put back', async () => {
    const { discoveries, caller, index } = await setUp()
    const hours = 3_600_000
    await index.setReadUntil(caller.user, Date.now() + 2 * hours)
    const asked: number[] = []
    const turns = async function* (_caller: unknown, since: number) {
      asked.push(since)
      yield turn('s1', asked.length, 'Please add a cache')
    }
    let change = 7
    const dialogs = { latest: async () => change, turns, isReading, gone: async () => gone }
    for (; change < 9; change++)
      await feedDialogs(caller, { engine: index, discoveries, dialogs }, signal)
    // A mark that an older version took from the clock is worth nothing; then each change is asked for once.
    expect(asked).toEqual([0, 8])
    expect(await index.readUntil(caller.user)).toBe(8)
    expect([...index.notes.keys()]).toEqual(['s1/2'])
  })

  it('takes in all that others recorded meanwhile, however much and whatever the clock says', async () => {
    const { discoveries, caller, index } = await setUp()
    const record = (from: number, count: number) =>
      insertAll(
        caller,
        Array.from({ length: count }, (_, n) => noted(`fact ${from + n}`)),
      )
    const seen = { since: Date.now(), ids: new Set<string>() }
    for (let from = 0; from < 2_500; from += 500) await record(from, 500)
    await feedFromOthers(caller, { engine: index, discoveries }, seen, { withSpaces: true })
    expect(index.notes.size).toBe(2_500)
    seen.since = Date.now() + 7_200_000
    await record(2_500, 1)
    await feedFromOthers(caller, { engine: index, discoveries }, seen, { withSpaces: true })
    expect(index.notes.size).toBe(2_501)
    expect(seen.since).toBeLessThanOrEqual(Date.now())
  })

  it('C14 turns become notes, and what the person typed becomes a suggestion that is no note', async () => {
    const { discoveries, caller, index } = await setUp()
    const told: FedTurn[] = [
      turn('s1', 1, 'Please add a cache', 'Done. We decided to keep sessions in Redis.'),
      turn('s1', 2, 'Thanks'),
      turn('s2', 1, 'Rule: every list has a limit.'),
      turn('s3', 1, 'Fix this\nRule: logs are cut at 80 signs.', undefined, 'Fix this'),
    ]
    const turns = async function* () {
      yield* told
    }
    const suggested = async () =>
      (await discoveries.list(caller, { limit: 10, state: 'suggested' })).discoveries
    for (let times = 0; times < 2; times++) {
      await feedDialogs(
        caller,
        {
          engine: index,
          discoveries,
          dialogs: { latest, turns, isReading, gone: async () => gone },
        },
        signal,
      )
      expect(await suggested()).toMatchObject([
        { type: 'rule', session: 's2', origin: 'dialog', sources: [{ dialog: 's2', request: 1 }] },
      ])
    }
    expect((await discoveries.list(caller, { limit: 10 })).total).toBe(0)
    expect(index.notes.get('s1/1')).toMatchObject({
      source: 'session',
      neighbours: expect.stringContaining('Thanks'),
    })
    expect([...index.notes.values()].filter(({ source }) => source === 'discovery')).toEqual([])
  })

  it('what was typed is the text of a note, what was pasted only helps to find it', async () => {
    const { discoveries, caller, index } = await setUp()
    const log = 'ERROR timeout in the payment queue'
    const turns = async function* () {
      yield turn('s1', 1, `Why is checkout slow?\n${log}`, undefined, 'Why is checkout slow?')
      yield turn('s2', 1, '# Plan\nCache the cart', undefined, '')
    }
    const dialogs = { latest, turns, isReading, gone: async () => gone }
    await feedDialogs(caller, { engine: index, discoveries, dialogs }, signal)
    expect(index.notes.get('s1/1')?.content).toBe('Why is checkout slow?')
    expect(index.notes.get('s1/1')?.neighbours).toContain(log)
    expect(index.notes.get('s2/1')?.content).toBe('# Plan\nCache the cart')
  })

  it('a reading that was interrupted goes on where it was', async () => {
    const { discoveries, caller, index } = await setUp()
    const read: string[] = []
    let failsAt = 's4'
    const turns = async function* (
      _caller: unknown,
      _since: number,
      _signal: AbortSignal,
      isRead: (dialog: FedDialog) => boolean,
    ) {
      for (const sessionId of ['s1', 's2', 's3', 's4']) {
        const size = sessionId === 's1' && read.length > 0 ? 20 : 10
        if (isRead({ key: `key ${sessionId}`, sessionId, size, mtimeMs: 1 })) continue
        if (sessionId === failsAt) throw new Error('interrupted')
        read.push(sessionId)
        yield turn(sessionId, 1, `Asked in ${sessionId}`)
      }
    }
    const dialogs = { latest, turns, isReading, gone: async () => gone }
    const feed = () => feedDialogs(caller, { engine: index, discoveries, dialogs }, signal)
    // The third dialog is known to be complete when the fourth begins, which it does not.
    await expect(feed()).rejects.toThrow('interrupted')
    expect(await index.readUntil(caller.user)).toBe(0)
    failsAt = ''
    await feed()
    // The first has grown since, the second is not read again.
    expect(read).toEqual(['s1', 's2', 's3', 's1', 's3', 's4'])
    expect(await index.readUntil(caller.user)).toBe(3)
    expect((await index.readSoFar()).size).toBe(0)
  })

  it('C14 the id of a note leads back to its turn', () => {
    expect(turnOf('s/1/7', 1)).toEqual({ sessionId: 's/1', position: 7, score: 1 })
  })

  it('C14 feeds every discovery again, however many there are', async () => {
    const { discoveries, caller, index } = await setUp()
    const all = Array.from({ length: 2_500 }, (_, n) => noted(`fact ${n}`))
    for (let from = 0; from < all.length; from += 500)
      await insertAll(caller, all.slice(from, from + 500))
    await feedDiscoveries(caller, { engine: index, discoveries }, signal)
    expect(index.notes.size).toBe(all.length)
  })

  it('what is gone from a dialog, or with it, is no longer found; what was suggested from it is as it was last read', async () => {
    const { discoveries, caller, index } = await setUp()
    let told = [
      turn('s1', 1, 'We decided to keep sessions in Redis.'),
      turn('s1', 2, 'Thanks'),
      turn('s10', 1, 'Another one'),
    ]
    const turns = async function* () {
      yield* told
    }
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, isReading, gone: async () => gone } },
      signal,
    )
    const sessions = () =>
      [...index.notes.values()].filter(({ source }) => source === 'session').map(({ id }) => id)
    expect(sessions()).toEqual(['s1/1', 's1/2', 's10/1'])
    told = [turn('s1', 1, 'Begun anew')]
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, isReading, gone: async () => gone } },
      signal,
    )
    expect(sessions().toSorted()).toEqual(['s1/1', 's10/1'])
    told = []
    gone = ['s1']
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, isReading, gone: async () => gone } },
      signal,
    )
    gone = []
    expect(sessions()).toEqual(['s10/1'])
    const suggested = { limit: 10, state: 'suggested' } as const
    expect((await discoveries.list(caller, suggested)).total).toBe(0)
  })

  it('asks only for what came since, and for everything when the index was lost', async () => {
    const { discoveries, caller, index } = await setUp()
    const asked: number[] = []
    const turns = async function* (_caller: unknown, since: number) {
      asked.push(since)
      yield turn('s1', 1, 'hello there')
    }
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, isReading, gone: async () => gone } },
      signal,
    )
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, isReading, gone: async () => gone } },
      signal,
    )
    index.lose()
    await feedDiscoveries(caller, { engine: index, discoveries }, signal)
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, isReading, gone: async () => gone } },
      signal,
    )
    expect(asked).toEqual([1, 4, 1])
  })

  it('archives the least used fifth past the limit and deletes nothing', async () => {
    const { discoveries, caller } = await setUp()
    for (let n = 0; n < 12; n++)
      await discoveries.record(caller, {
        type: 'rule',
        content: Array.from({ length: 4000 }, (_, at) => `w${n}x${at}`).join(' '),
      })
    const active = await discoveries.list(caller, { limit: 50 })
    const all = await discoveries.list(caller, { limit: 50, withArchived: true })
    expect(all.total).toBe(12)
    expect(active.total).toBeLessThan(12)
  })
})
