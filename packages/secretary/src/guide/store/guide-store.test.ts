import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../test/support/engines.ts'
import type { Database } from '../../storage/database.ts'
import { createGuideStore, GLOBAL_SCOPE, type GuideStore, type Selection } from './guide-store.ts'

const now = '2026-01-01T00:00:00.000Z'
const category = (name: string, changes: Partial<Selection> = {}): Selection => ({
  kind: 'category',
  name,
  dir: 'd',
  items: ['*'],
  description: 'text',
  removed: false,
  ...changes,
})

for (const engine of engines) {
  describe(`guide store on ${engine.name}`, () => {
    let database: Database
    let store: GuideStore

    beforeAll(async () => {
      database = await openFresh(engine)
      store = createGuideStore(database)
    })
    afterAll(() => database.close())

    it('has nothing for a project that it has not seen', async () => {
      expect(await store.load('new', 'new')).toEqual({
        selections: [],
        profiles: [],
        projectFlags: {},
        globalFlags: {},
      })
    })

    it('loses a row that cannot be read, and nothing else', async () => {
      for (const name of ['whole', 'damaged', 'foreign'])
        await store.addSelection('torn', category(name))
      const damage = (name: string, items: string) =>
        database.use((db) =>
          db
            .updateTable('guide_selections')
            .set({ items })
            .where('project', '=', 'torn')
            .where('name', '=', name)
            .execute(),
        )
      await damage('damaged', '["half a li')
      await damage('foreign', '{"not":"a list"}')
      const { selections } = await store.load('torn', 'torn')
      expect(selections.map(({ name }) => name)).toEqual(['whole'])
    })

    it('renames a selection and what speaks of it together, or leaves everything where the name is taken', async () => {
      const follower = category('f', { kind: 'collection', items: ['old'] })
      for (const one of [category('old'), category('busy'), follower])
        await store.addSelection('r', one)
      const others = [{ ...follower, items: ['new'], description: 'not mine to change' }]
      const before = await store.load('r', 'r')
      expect(
        await store.renameSelection('r', category('busy'), { name: 'old', hide: false }, others),
      ).toBe(false)
      expect(await store.load('r', 'r')).toEqual(before)
      expect(
        await store.renameSelection('r', category('new'), { name: 'old', hide: false }, others),
      ).toBe(true)
      expect((await store.load('r', 'r')).selections).toEqual([
        category('busy'),
        { ...follower, items: ['new'] },
        category('new'),
      ])
      expect(
        await store.renameSelection('r', category('newer'), { name: 'new', hide: true }, []),
      ).toBe(true)
      expect(
        (await store.load('r', 'r')).selections
          .filter(({ removed }) => removed)
          .map(({ name }) => name),
      ).toEqual(['new'])
    })

    it('adds a selection once, and again after it was removed', async () => {
      expect(await store.addSelection('p', category('a'))).toBe(true)
      expect(await store.addSelection('p', category('a', { dir: 'other' }))).toBe(false)
      expect((await store.load('p', 'p')).selections).toEqual([category('a')])
      await store.putSelection('p', category('a', { removed: true }), ['removed'])
      expect(await store.addSelection('p', category('a', { dir: 'other' }))).toBe(true)
      expect((await store.load('p', 'p')).selections).toEqual([category('a', { dir: 'other' })])
    })

    it('changes only the named fields, and keeps kinds and projects apart', async () => {
      await store.addSelection('q', category('a', { description: 'first' }))
      await store.addSelection('q', category('a', { kind: 'collection' }))
      await store.putSelection('q', category('a', { dir: 'new', description: 'not this' }), ['dir'])
      const { selections } = await store.load('q', 'q')
      expect(selections).toHaveLength(2)
      expect(selections).toContainEqual(category('a', { dir: 'new', description: 'first' }))
      await store.deleteSelection('q', 'category', 'a')
      expect((await store.load('q', 'q')).selections).toEqual([
        category('a', { kind: 'collection' }),
      ])
    })

    it('lets one of many that add the same selection at once win', async () => {
      const added = await Promise.all(
        Array.from({ length: 10 }, (_, place) =>
          store.addSelection('r', category('x', { dir: `${place}` })),
        ),
      )
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    it('keeps typed flags in their scope and loses none of many written at once', async () => {
      const values = {
        text: 'a"b',
        yes: true,
        list: ['x'],
        map: { a: 'b', c: ['d'] },
        'odd-name': 'y',
      }
      for (const [name, value] of Object.entries(values)) await store.setFlag('s', name, value, now)
      await store.setFlag(GLOBAL_SCOPE, 'text', 'global', now)
      await store.setFlag('s', 'text', 'changed', now)
      const loaded = await store.load('s', 's')
      expect(loaded.projectFlags).toEqual({ ...values, text: 'changed' })
      expect(loaded.globalFlags).toEqual({ text: 'global' })
      await Promise.all(
        Array.from({ length: 50 }, (_, place) => store.setFlag('t', `f${place}`, true, now)),
      )
      expect(Object.keys((await store.load('t', 't')).projectFlags)).toHaveLength(50)
      expect(await store.removeFlag('s', 'text')).toBe(true)
      expect(await store.removeFlag('s', 'text')).toBe(false)
    })

    it('registers a project once and lists within the limit', async () => {
      for (const key of ['k1', 'k2', 'k1'])
        await store.register({ key, name: `name ${key}`, path: `/${key}` }, now)
      expect(await store.projects(10)).toHaveLength(2)
      expect(await store.projects(1)).toEqual([{ key: 'k1', name: 'name k1', path: '/k1' }])
    })

    it('uses a profile once', async () => {
      expect(await store.addProfile('p', 'go')).toBe(true)
      expect(await store.addProfile('p', 'go')).toBe(false)
      expect((await store.load('p', 'p')).profiles).toEqual(['go'])
    })
  })
}
