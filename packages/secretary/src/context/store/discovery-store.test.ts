import { afterAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { Discoveries } from '../discoveries/discoveries.ts'
import { createDiscoveryStore } from './discovery-store.ts'

describe.each(engines)('discoveries in $name', async (engine) => {
  const database = await openFresh(engine)
  afterAll(() => database.close())
  const store = createDiscoveryStore(database)
  const ownerOf = (user: string) => ({ user, project: temporaryFolder() })
  const all = { limit: 100, withArchived: true }

  it('keeps one of what is said many times at once', async () => {
    const owner = ownerOf('ada')
    const writers = Array.from({ length: 4 }, () => new Discoveries(store))
    const facts = Array.from({ length: 10 }, (_, i) => `Fact number ${i} is about gadget${i}`)
    await Promise.all(
      writers.flatMap((writer) =>
        facts.map((content) => writer.record(owner, { type: 'rule', content })),
      ),
    )
    expect((await store.list(owner, all)).total).toBe(10)
  })

  it('keeps what is like an older one as its own, and links it', async () => {
    const owner = ownerOf('bea')
    const discoveries = new Discoveries(store)
    const five = { type: 'rule', content: 'Sessions expire after five minutes' } as const
    const ten = { type: 'rule', content: 'Sessions expire after ten minutes' } as const
    const older = (await discoveries.record(owner, five)).discovery
    const newer = await discoveries.record(owner, ten)
    expect(newer).toMatchObject({ merged: false, discovery: { follows: older.id } })
    const found = await discoveries.find(owner, [older.id, newer.discovery.id])
    expect(found.get(older.id)?.newer).toBe(newer.discovery.id)
    expect(found.get(newer.discovery.id)?.newer).toBeUndefined()
  })

  it('loses nothing of a repetition: module, files and source', async () => {
    const owner = ownerOf('cyd')
    const mark = (path: string) => ({ path, hash: path })
    const one = {
      type: 'rule',
      content: 'Prices are kept in cents',
      date: '2026-01-01T00:00:00.000Z',
      confidence: 0.5,
      origin: 'recorded',
      accessCount: 0,
      archived: false,
    } as const
    const source = (dialog: string) => [{ dialog, date: one.date }]
    await store.record(owner, { ...one, id: '1', files: [mark('a.ts')], sources: source('d1') })
    const again = { id: '2', module: 'shop', files: [mark('b.ts')], sources: source('d2') }
    const { discovery, merged } = await store.record(owner, { ...one, ...again })
    expect(merged).toBe(true)
    const [stored] = await store.find(owner, ['1'])
    expect(stored).toEqual(discovery)
    expect(stored).toMatchObject({
      module: 'shop',
      files: [mark('a.ts'), mark('b.ts')],
      sources: [{ dialog: 'd1' }, { dialog: 'd2' }],
    })
    const elsewhere = { id: '3', module: 'till', files: [], sources: source('d3') }
    expect((await store.record(owner, { ...one, ...elsewhere })).merged).toBe(false)
  })

  it('C14 suggests at most ten of a dialog, however many read it at once, and says which request it was', async () => {
    const owner = ownerOf('dan')
    const words = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima'.split(
      ' ',
    )
    const turns = words.map((word, i) => ({
      typed: `We decided to move ${word} ${word}s next to ${word}ing.`,
      request: i + 1,
    }))
    const date = '2026-01-01T00:00:00.000Z'
    const halves = [turns, turns.slice(2), turns.slice(0, 7)]
    await Promise.all(halves.map((half) => new Discoveries(store).suggest(owner, 's1', half, date)))
    const suggested = { ...all, state: 'suggested' } as const
    const { discoveries, total } = await store.list(owner, suggested)
    expect(total).toBeLessThanOrEqual(10)
    expect(total).toBeGreaterThanOrEqual(7)
    for (const { content, sources } of discoveries)
      expect(turns[(sources[0]?.request ?? 0) - 1]?.typed).toContain(content)
  })

  describe('suggestions', () => {
    const suggested = { limit: 100, state: 'suggested' } as const
    const dismissed = { limit: 100, state: 'dismissed' } as const
    const date = '2026-01-01T00:00:00.000Z'
    const typed = (...texts: string[]) => texts.map((text, i) => ({ typed: text, request: i + 1 }))
    const redis = 'We decided to keep sessions in Redis.'
    const memory = 'We decided to keep sessions in memory.'
    const contents = async (
      owner: ReturnType<typeof ownerOf>,
      filter: typeof suggested | typeof dismissed | typeof all,
    ) => (await store.list(owner, filter)).discoveries.map(({ content }) => content)

    it('C14 a suggestion is in no list, search or count of discoveries until somebody confirms it', async () => {
      const owner = ownerOf('gus')
      const discoveries = new Discoveries(store)
      await discoveries.suggest(owner, 's1', typed(redis), date)
      const [{ id } = { id: '' }] = (await discoveries.list(owner, suggested)).discoveries
      expect(await contents(owner, all)).toEqual([])
      expect((await discoveries.find(owner, [id])).size).toBe(0)
      expect(await store.charactersAtHand(owner)).toBe(0)
      expect(await discoveries.judge(owner, id, 'confirmed')).toMatchObject({ content: redis })
      expect(await contents(owner, all)).toEqual([redis])
      expect((await discoveries.find(owner, [id])).get(id)).toMatchObject({ verdict: 'confirmed' })
      expect(await contents(owner, suggested)).toEqual([])
    })

    it('C14 a dismissed suggestion does not come back, from this dialog or from another', async () => {
      const owner = ownerOf('hal')
      const discoveries = new Discoveries(store)
      await discoveries.suggest(owner, 's1', typed(redis), date)
      const [{ id } = { id: '' }] = (await discoveries.list(owner, suggested)).discoveries
      await discoveries.judge(owner, id, 'dismissed')
      expect(await discoveries.judge(owner, id, 'confirmed')).toBeUndefined()
      await discoveries.suggest(owner, 's1', typed(redis), date)
      await discoveries.suggest(owner, 's2', typed(`Hello. ${redis}`), date)
      expect(await contents(owner, suggested)).toEqual([])
      expect(await contents(owner, dismissed)).toEqual([redis])
    })

    it('C14 what is recorded on purpose is no suggestion, even where it was dismissed before', async () => {
      const owner = ownerOf('ida')
      const discoveries = new Discoveries(store)
      await discoveries.suggest(owner, 's1', typed(redis), date)
      const [{ id } = { id: '' }] = (await discoveries.list(owner, suggested)).discoveries
      await discoveries.judge(owner, id, 'dismissed')
      await discoveries.record(owner, { type: 'decision', content: redis })
      expect(await contents(owner, all)).toEqual([redis])
      expect(await contents(owner, dismissed)).toEqual([])
    })

    it('C14 a suggestion does not supersede a recorded decision, a confirmed one does', async () => {
      const owner = ownerOf('jan')
      const discoveries = new Discoveries(store)
      const { discovery } = await discoveries.record(owner, { type: 'decision', content: memory })
      const later = new Date(Date.now() + 60_000).toISOString()
      await discoveries.suggest(owner, 's1', typed(redis), later)
      const newer = async () => (await discoveries.check(owner, [discovery]))[0]?.newer
      expect(await newer()).toBeUndefined()
      const [{ id } = { id: '' }] = (await discoveries.list(owner, suggested)).discoveries
      await discoveries.judge(owner, id, 'confirmed')
      expect(await newer()).toBe(id)
    })

    it('C14 what an older version drew from answers goes when its dialog is read again', async () => {
      const owner = ownerOf('kim')
      const discoveries = new Discoveries(store)
      await discoveries.suggest(owner, 's1', typed(redis, memory), date)
      await discoveries.suggest(owner, 's2', typed('Rule: every list has a limit.'), date)
      await discoveries.suggest(owner, 's1', typed(memory), date)
      expect((await contents(owner, suggested)).sort()).toEqual([
        'Rule: every list has a limit.',
        memory,
      ])
    })
  })

  it('reads the rest where the lists of one row cannot be read', async () => {
    const owner = ownerOf('eve')
    const discoveries = new Discoveries(store)
    for (const content of ['Names are Latin', 'Prices are in cents'])
      await discoveries.record(owner, { type: 'rule', content })
    const broken = { files: '{"not', sources: '5' }
    await database.use((db) =>
      db.updateTable('discoveries').set(broken).where('content', '=', 'Names are Latin').execute(),
    )
    const { discoveries: found } = await store.list(owner, all)
    expect(found.map(({ files }) => files)).toEqual([[], []])
  })

  it('takes little work at ten thousand notes', async () => {
    const owner = ownerOf('fay')
    const row = {
      user_id: owner.user,
      project: owner.project,
      type: 'rule',
      origin: 'recorded',
      confidence: 1,
      files: '[]',
      created_at: '2026-01-01T00:00:00.000Z',
    }
    for (let page = 0; page < 20; page++) {
      const rows = Array.from({ length: 500 }, (_, i) => ({
        ...row,
        id: `${page}-${i}`,
        content: `Note ${i} of page ${page}`,
        said: `${page}-${i}`,
      }))
      await database.use((db) => db.insertInto('discoveries').values(rows).execute())
    }
    const discoveries = new Discoveries(store)
    const costs: number[] = []
    for (let i = 0; i < 40; i++) {
      const began = process.cpuUsage()
      await discoveries.record(owner, {
        type: 'rule',
        content: `Something new, word${i} thing${i}`,
      })
      const { user, system } = process.cpuUsage(began)
      costs.push((user + system) / 1_000)
    }
    costs.sort((a, b) => a - b)
    expect(costs[20]).toBeLessThan(20)
  })
})
