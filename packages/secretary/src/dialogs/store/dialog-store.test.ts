import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import type { Database } from '../../storage/database.ts'
import type { DialogStore, IndexedDialog } from '../dialog-store.ts'
import { memoryDialogStore } from '../memory-dialog-store.ts'
import { createDialogStore } from './dialog-store.ts'

const dialog = (id: string, more: Partial<IndexedDialog> = {}): IndexedDialog => ({
  key: `/files/${id}.jsonl`,
  sessionId: id,
  source: 'claude-code',
  project: '/projects/shop',
  firstSeen: 1_768_000_000_000,
  lastSeen: 1_768_000_000_000,
  requestsCount: 1,
  status: 'completed',
  firstRequestPreview: 'Add a cart',
  chatJsonPath: `/files/${id}.jsonl`,
  size: 10,
  mtimeMs: 1_768_000_000_000,
  reading: {
    sessionId: id,
    status: 'completed',
    marks: [{ at: 0, size: 10, preview: 'Add a cart' }],
    offset: 10,
  },
  ...more,
})

const page = { limit: 10, offset: 0 }

for (const engine of engines) {
  describe(`dialog store on ${engine.name}`, () => {
    let database: Database

    beforeAll(async () => {
      database = await openFresh(engine)
    })
    afterAll(() => database.close())

    behavesAsAStore((owner) => createDialogStore(database, owner))

    it("does not show one owner another's dialogs", async () => {
      await createDialogStore(database, 'ada@four').save([dialog('secret')])
      const other = createDialogStore(database, 'eve@four')
      expect(await other.findBySession('secret')).toEqual([])
      expect(await other.findReading('/files/secret.jsonl')).toBeUndefined()
      expect((await other.list(page)).total).toBe(0)
      expect((await other.stamps()).size).toBe(0)
    })

    it('takes hostile texts as they are, but for NUL', async () => {
      const store = createDialogStore(database, 'ada@five')
      const firstRequestPreview = "a\0b'); drop table dialogs;-- 猫🐈"
      await store.save([dialog('hostile', { firstRequestPreview, title: '%_\\' })])
      expect((await store.findBySession('hostile'))[0]).toMatchObject({
        firstRequestPreview: firstRequestPreview.replace('\0', ''),
        title: '%_\\',
      })
    })
  })
}

describe('dialog store in memory', () => behavesAsAStore(() => memoryDialogStore()))

function behavesAsAStore(storeOf: (owner: string) => DialogStore): void {
  it('gives back what was saved, and the newer state of a dialog replaces the older', async () => {
    const store = storeOf('ada@one')
    await store.save([dialog('a')])
    await store.save([dialog('a', { title: 'Cart', size: 20, requestsCount: 2 })])
    expect((await store.findBySession('a'))[0]).toMatchObject({
      title: 'Cart',
      requestsCount: 2,
      size: 20,
    })
    expect(await store.findReading('/files/a.jsonl')).toEqual(dialog('a').reading)
    expect((await store.stamps()).get('/files/a.jsonl')).toEqual({
      size: 20,
      mtimeMs: 1_768_000_000_000,
      gone: false,
    })
  })

  it('numbers its changes upwards, also when the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
    onTestFinished(() => void vi.useRealTimers())
    const store = storeOf('ada@clock')
    expect(await store.latestChange()).toBe(0)
    await store.save([dialog('before')])
    const since = async (change: number, removed = false) => {
      const { dialogs } = await store.list({ ...page, storedSince: change, removed })
      return dialogs.map(({ sessionId }) => sessionId)
    }
    let last = await store.latestChange()
    vi.setSystemTime(Date.UTC(2026, 0, 1))
    await store.save([dialog('after')])
    expect(await since(last + 1)).toEqual(['after'])
    last = await store.latestChange()
    await store.markGone(['/files/before.jsonl'])
    expect(await since(last + 1)).toEqual(['before'])
    last = await store.latestChange()
    await store.remove(['/files/after.jsonl'])
    expect(await since(last + 1, true)).toEqual(['after'])
    expect(await store.latestChange()).toBeGreaterThan(last)
  })

  it('turns pages without a gap, however many dialogs share their times', async () => {
    const store = storeOf('ada@pages')
    const ids = Array.from({ length: 60 }, (_, n) => `same-${n}`)
    await store.save(ids.map((id) => dialog(id)))
    // What was changed last comes first where nothing else decides.
    await store.save([dialog('same-7', { size: 11 })])
    const seen: string[] = []
    for (let offset = 0; offset < 60; offset += 10) {
      const { dialogs } = await store.list({ limit: 10, offset })
      seen.push(...dialogs.map(({ sessionId }) => sessionId))
      await store.save([dialog(`same-${offset}`, { size: 12 + offset })])
    }
    expect(seen.sort()).toEqual(ids.sort())
  })

  it('narrows by time, and says which agents and projects there are to choose from', async () => {
    const store = storeOf('ada@times')
    await store.save([
      dialog('early', { lastSeen: 1_000, source: 'codex', project: '/projects/api' }),
      dialog('middle', { lastSeen: 2_000 }),
      dialog('late', { lastSeen: 3_000, project: undefined }),
      dialog('hashed', { lastSeen: 4_000, project: 'sha256:abc' }),
      dialog('silent', {
        lastSeen: 2_000,
        requestsCount: 0,
        source: 'cline',
        project: '/projects/silent',
      }),
    ])
    const between = await store.list({ ...page, asked: true, since: 1_500, until: 3_000 })
    expect(between.dialogs.map(({ sessionId }) => sessionId)).toEqual(['late', 'middle'])
    expect(between.total).toBe(2)
    expect(await store.facets()).toEqual({
      sources: ['claude-code', 'codex'],
      projects: ['/projects/api', '/projects/shop'],
    })
  })

  it('lists a project with what lies below it, newest first, and not its namesakes', async () => {
    const store = storeOf('ada@two')
    await store.save([
      dialog('old', { lastSeen: 1 }),
      dialog('below', { project: '/projects/shop/api', lastSeen: 3 }),
      dialog('namesake', { project: '/projects/shop-2', lastSeen: 4 }),
      dialog('wildcard', { project: '/projects/sho_', lastSeen: 5 }),
      dialog('hashed', { project: 'sha256:ab', lastSeen: 2 }),
    ])
    const { dialogs, total } = await store.list({
      projects: ['/projects/shop', 'sha256:ab'],
      ...page,
    })
    expect(dialogs.map(({ sessionId }) => sessionId)).toEqual(['below', 'hashed', 'old'])
    expect(total).toBe(3)
    expect((await store.list({ projects: ['/projects/sho_'], ...page })).total).toBe(1)
    expect((await store.list({ source: 'codex', ...page })).total).toBe(0)
    await store.save([dialog('empty', { requestsCount: 0, lastSeen: 9 })])
    expect(
      (await store.list({ asked: true, ...page })).dialogs.map(({ sessionId }) => sessionId),
    ).not.toContain('empty')
    expect((await store.list({ asked: false, ...page })).dialogs[0]?.sessionId).toBe('empty')
    expect((await store.list({ limit: 1, offset: 2 })).dialogs[0]?.sessionId).toBe('namesake')
  })

  it('knows the id of every dialog once, but of none that was deleted or says nothing', async () => {
    const store = storeOf('ada@ids')
    await store.save([
      dialog('twice'),
      dialog('twice', { key: '/files/copy.jsonl' }),
      dialog('gone'),
      dialog('deleted'),
      dialog('silent', { requestsCount: 0 }),
    ])
    await store.markGone(['/files/gone.jsonl'])
    await store.remove(['/files/deleted.jsonl'])
    expect((await store.sessionIds()).sort()).toEqual(['gone', 'twice'])
  })

  it('keeps what it knew of a dialog whose file is gone', async () => {
    const store = storeOf('ada@three')
    await store.save([dialog('a')])
    await store.markGone(['/files/a.jsonl'])
    expect((await store.findBySession('a'))[0]).toMatchObject({
      firstRequestPreview: 'Add a cart',
      chatJsonPath: undefined,
    })
    expect((await store.stamps()).get('/files/a.jsonl')?.gone).toBe(true)
  })
}
