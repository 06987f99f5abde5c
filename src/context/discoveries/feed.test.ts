import { afterEach, describe, expect, it } from 'vitest'
import { openFreshSqlite } from '../../../test/support/engines.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Note } from '../../search/search-types.ts'
import type { Database } from '../../storage/database.ts'
import { createDiscoveryStore } from '../../storage/stores/discovery-store.ts'
import { Discoveries } from './discoveries.ts'
import type { Discovery } from './discovery.ts'
import { feedDialogs, feedDiscoveries, feedFromOthers, turnOf } from './feed.ts'
import type { FedTurn } from './turns.ts'

const { signal } = new AbortController()
let gone: string[] = []
const latest = async () => 3

function fakeEngine() {
  const notes = new Map<string, Note>()
  const read = new Map<string, number>()
  return {
    notes,
    async putNotes(given: readonly Note[]) {
      for (const note of given) notes.set(note.id, note)
    },
    async removeNotesUnder(_scope: string, prefix: string) {
      for (const id of [...notes.keys()]) if (id.startsWith(prefix)) notes.delete(id)
    },
    readUntil: async (user: string) => read.get(user) ?? 0,
    setReadUntil: async (user: string, moment: number) => void read.set(user, moment),
    lose() {
      notes.clear()
      read.clear()
    },
  }
}

const turn = (sessionId: string, position: number, request: string, answer?: string): FedTurn => ({
  sessionId,
  position,
  time: Date.UTC(2026, 0, position),
  request,
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
    const dialogs = { latest: async () => change, turns, gone: async () => gone }
    for (; change < 9; change++)
      await feedDialogs(caller, { engine: index, discoveries, dialogs }, signal)
    // A mark that an older version took from the clock is worth nothing; then each change is asked for once.
    expect(asked).toEqual([0, 8])
    expect(await index.readUntil(caller.user)).toBe(8)
    expect([...index.notes.keys()]).toEqual(['s1/2'])
  })

  it('takes in all that others recorded meanwhile, however much and whatever the clock says', async () => {
    const { discoveries, caller, index } = await setUp()
    const store = createDiscoveryStore(database as Database)
    const record = (from: number, count: number) =>
      store.addOfSession(
        caller,
        `s${from}`,
        Array.from({ length: count }, (_, n) => noted(`fact ${from + n}`)),
        count,
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

  it('C14 turns become notes of their user, and decisions in them discoveries with session and date', async () => {
    const { discoveries, caller, index } = await setUp()
    const told: FedTurn[] = [
      turn('s1', 1, 'Please add a cache', 'Done. We decided to keep sessions in Redis.'),
      turn('s1', 2, 'Thanks'),
      turn('s2', 1, 'Rule: every list has a limit.'),
    ]
    const turns = async function* () {
      yield* told
    }
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    const { discoveries: found } = await discoveries.list(caller, { limit: 10 })
    expect(found.map(({ type, session, origin }) => ({ type, session, origin }))).toEqual(
      expect.arrayContaining([
        { type: 'decision', session: 's1', origin: 'dialog' },
        { type: 'rule', session: 's2', origin: 'dialog' },
      ]),
    )
    expect(index.notes.get('s1/1')).toMatchObject({
      source: 'session',
      neighbours: expect.stringContaining('Thanks'),
    })
    expect([...index.notes.values()].filter(({ source }) => source === 'discovery')).toHaveLength(2)
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    expect((await discoveries.list(caller, { limit: 10 })).total).toBe(2)
  })

  it('C14 the id of a note leads back to its turn', () => {
    expect(turnOf('s/1/7', 1)).toEqual({ sessionId: 's/1', position: 7, score: 1 })
  })

  it('C14 feeds every discovery again, however many there are', async () => {
    const { discoveries, caller, index } = await setUp()
    const all = Array.from({ length: 2_500 }, (_, n) => noted(`fact ${n}`))
    const store = createDiscoveryStore(database as Database)
    for (let from = 0; from < all.length; from += 500)
      await store.addOfSession(caller, 's', all.slice(from, from + 500), all.length)
    await feedDiscoveries(caller, { engine: index, discoveries }, signal)
    expect(index.notes.size).toBe(all.length)
  })

  it('what is gone from a dialog, or with it, is no longer found; what was drawn from it stays', async () => {
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
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    const sessions = () =>
      [...index.notes.values()].filter(({ source }) => source === 'session').map(({ id }) => id)
    expect(sessions()).toEqual(['s1/1', 's1/2', 's10/1'])
    told = [turn('s1', 1, 'Begun anew')]
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    expect(sessions()).toEqual(['s10/1', 's1/1'])
    told = []
    gone = ['s1']
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    gone = []
    expect(sessions()).toEqual(['s10/1'])
    expect((await discoveries.list(caller, { limit: 10 })).total).toBe(1)
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
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    index.lose()
    await feedDiscoveries(caller, { engine: index, discoveries }, signal)
    await feedDialogs(
      caller,
      { engine: index, discoveries, dialogs: { latest, turns, gone: async () => gone } },
      signal,
    )
    expect(asked).toEqual([1, 4, 1])
  })

  it('C14 at most ten of a session, however often it is read, and each user alone', async () => {
    const { discoveries, caller, index } = await setUp()
    const words =
      'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november'.split(
        ' ',
      )
    const say = (list: string[]) =>
      list.map((word) => `We decided to move ${word} ${word}s next to ${word}ing.`).join('\n')
    await discoveries.draw(
      caller,
      's1',
      [{ text: say(words.slice(0, 7)) }],
      '2026-01-01T00:00:00.000Z',
    )
    await discoveries.draw(caller, 's1', [{ text: say(words) }], '2026-01-01T00:00:00.000Z')
    expect((await discoveries.list(caller, { limit: 50 })).total).toBe(10)
    expect((await discoveries.list({ ...caller, user: 'bob' }, { limit: 50 })).total).toBe(0)
    await feedDiscoveries(caller, { engine: index, discoveries }, signal)
    expect(index.notes.size).toBe(10)
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
