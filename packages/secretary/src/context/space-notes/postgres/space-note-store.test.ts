import { join } from 'node:path'
import { noteTerms } from '@secretary-mcp/search/languages/foreign-words.ts'
import type { SearchRequest } from '@secretary-mcp/search/search-types.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { engines, openFresh } from '../../../../../../test/support/engines.ts'
import { changeAndJoin } from '../../../../../../test/support/join-space.ts'
import { spaceNotesIn } from '../../../../../../test/support/space-note-house.ts'
import { temporaryFolder } from '../../../../../../test/support/temporary-folder.ts'
import { Spaces } from '../../../spaces/spaces.ts'
import { createSpaceStore } from '../../../spaces/store/space-store.ts'
import { restoreBackup } from '../../../storage/backup/restore-backup.ts'
import { writeBackup } from '../../../storage/backup/write-backup.ts'
import type { Database } from '../../../storage/database.ts'
import { Discoveries } from '../../discoveries/discoveries.ts'
import { createDiscoveryStore } from '../../store/discovery-store.ts'
import type { SpaceNote } from '../space-notes.ts'

const [, postgres] = engines
const project = temporaryFolder()
const ada = { user: 'ada', project }
const bob = { user: 'bob', project }
let database: Database
let house: Awaited<ReturnType<typeof setUp>>

async function setUp() {
  const spaces = new Spaces(createSpaceStore(database))
  const { id: web } = await spaces.create(ada, 'web')
  return { ...spaceNotesIn(database), spaces, web }
}

beforeEach(async () => {
  if (!postgres) throw new Error('PostgreSQL is one of the engines')
  database = await openFresh(postgres)
  house = await setUp()
})
afterEach(() => database.close())

function note(id: string, content: string, more: Partial<SpaceNote> = {}): SpaceNote {
  const date = '2026-01-05T10:00:00.000Z'
  const about = { source: 'discovery', type: 'decision', date, author: 'ada' } as const
  return { id, content, space: house.web, project, ...about, ...more }
}

async function found(caller: typeof ada, query: string, more: Partial<SearchRequest> = {}) {
  const spaces = [house.web, 'everybody']
  const { candidates } = await house.notes.find(caller, spaces, { query, ...more })
  return candidates.map(({ note: { id } }) => id).sort()
}

it('a note is found by words in other forms, by identifiers in parts, and by meaning', async () => {
  await house.notes.put([
    note('1', 'Prices are stored in cents, never as floating point numbers'),
    note('2', 'parseInvoiceTotal rounds half up'),
    note('3', 'The bakery opens at six'),
  ])
  expect(await found(ada, 'storing a price')).toContain('1')
  expect(await found(ada, 'invoice rounding')).toContain('2')
  const { candidates } = await house.notes.find(ada, [house.web], { query: 'shop for bread' })
  const [nearest] = [...candidates].sort((a, b) => (b.nearness ?? 0) - (a.nearness ?? 0))
  expect(nearest?.note.id).toBe('3')
  expect(nearest?.words).toBeUndefined()
})

it('a rare word counts more than a common one', async () => {
  const common = Array.from({ length: 20 }, (_, n) =>
    note(`common ${n}`, `The invoice number ${n} is printed on page ${n}`),
  )
  await house.notes.put([...common, note('rare', 'The invoice of a cooperative is printed twice')])
  const asked = { query: 'invoice cooperative' }
  const { candidates } = await house.notes.find(ada, [house.web], asked)
  const [best] = [...candidates].sort((a, b) => (b.words ?? 0) - (a.words ?? 0))
  expect(best?.note.id).toBe('rare')
})

it('who does not belong to the space finds nothing in it, whatever they name', async () => {
  await house.notes.put([note('1', 'Prices are stored in cents')])
  expect(await found(bob, 'prices in cents')).toEqual([])
  await changeAndJoin(house.spaces, ada, house.web, { user: 'bob', role: 'reader' })
  expect(await found(bob, 'prices in cents')).toEqual(['1'])
  await house.spaces.changeMember(ada, house.web, { user: 'bob' })
  expect(await found(bob, 'prices in cents')).toEqual([])
})

it('a search is narrowed to a source, a type and a module', async () => {
  await house.notes.put([
    note('1', 'Prices are stored in cents', { module: 'shop' }),
    note('2', 'Prices were stored as text once', { type: 'issue' }),
    note('s/1', 'How are prices stored?', { source: 'session', type: undefined }),
  ])
  expect(await found(ada, 'prices stored')).toEqual(['1', '2', 's/1'])
  expect(await found(ada, 'prices stored', { type: 'issue' })).toEqual(['2'])
  expect(await found(ada, 'prices stored', { module: 'shop' })).toEqual(['1'])
  expect(await found(ada, 'prices stored', { sources: ['session'] })).toEqual(['s/1'])
  expect(await found(ada, 'prices stored', { sources: ['code'] })).toEqual([])
})

it('a note put again is replaced, and a removed one is gone', async () => {
  await house.notes.put([note('1', 'Prices are stored in cents')])
  await house.notes.put([note('1', 'Amounts are kept as decimals', { author: 'bob' })])
  expect(await found(ada, 'decimals')).toEqual(['1'])
  const { rows } = await database.use((db) =>
    sql`select author, content from shared_notes`.execute(db),
  )
  expect(rows).toEqual([{ author: 'ada', content: 'Amounts are kept as decimals' }])
  await house.notes.remove(house.web, 'discovery', ['1'])
  expect(await found(ada, 'decimals')).toEqual([])
})

it('words that look like operators are words, and a note without a known word is found by itself', async () => {
  await house.notes.put([note('1', "O'Brien's | \\ & ! path"), note('2', 'xqzzkv\0wvvqk')])
  expect(await found(ada, "o'brien & ! | \\")).toContain('1')
  expect(await found(ada, 'xqzzkv')).toContain('2')
})

it('a search that began before it was known what may be read gives what may be read now', async () => {
  const { id: shop } = await house.spaces.create(ada, 'shop')
  await house.notes.put([
    note('1', 'Prices are stored in cents'),
    note('2', 'Prices are rounded', { space: shop }),
  ])
  await changeAndJoin(house.spaces, ada, house.web, { user: 'bob', role: 'reader' })
  const asks = async (spaces: readonly string[]) => {
    const request = { query: 'prices' }
    const begun = house.notes.begin(bob, request)
    const { candidates } = await house.notes.find(bob, spaces, request, begun)
    return candidates.map(({ note: { id } }) => id)
  }
  expect(await asks([house.web])).toEqual(['1'])
  expect(house.notes.begin(bob, { query: 'prices' })?.spaces).toEqual([house.web])
  expect(await asks([house.web])).toEqual(['1'])
  await changeAndJoin(house.spaces, ada, shop, { user: 'bob', role: 'reader' })
  expect((await asks([house.web, shop])).sort()).toEqual(['1', '2'])
  await house.spaces.changeMember(ada, house.web, { user: 'bob', role: undefined })
  expect(await asks([shop])).toEqual(['2'])
  // Begun where they may no longer read.
  expect((await house.notes.begin(bob, { query: 'prices' })?.found)?.candidates).toHaveLength(1)
})

it('notes in very large spaces are found by comparing all of them, whichever way that is done', async () => {
  await house.notes.put([
    note('1', 'Prices are stored in cents'),
    note('2', 'The bakery opens at six'),
  ])
  const request = { query: 'shop for bread' }
  const { candidates } = await house.notes.find(ada, [house.web], request)
  const wide = await spaceNotesIn(database, 0).notes.find(ada, [house.web], request)
  expect(wide.candidates).toEqual(candidates)
  expect(candidates.length).toBeGreaterThan(0)
})

it('a secret is not stored', async () => {
  await house.notes.put([note('1', 'The key is ghp_0123456789abcdefghijABCDEFGHIJ012345')])
  const { rows } = await database.use((db) =>
    sql<{ text: string }>`select shared_notes::text as text from shared_notes`.execute(db),
  )
  expect(rows[0]?.text).not.toContain('0123456789abcdef')
})

it('a secret of a note that was made by older rules is not shown', async () => {
  await house.notes.put([note('1', 'Prices are stored in cents')])
  const content = 'Prices use ghp_0123456789abcdefghijABCDEFGHIJ012345'
  await database.use((db) =>
    sql`update shared_notes set content = ${content}, made = 1`.execute(db),
  )
  const { candidates } = await house.notes.find(ada, [house.web], { query: 'prices' })
  expect(candidates.map((one) => one.note.content)).toEqual([
    expect.stringMatching(/^Prices use \[redacted:/),
  ])
})

it('a note is found with those of the query’s terms that it has', async () => {
  const content = 'Invoices are rounded, and prices stored in cents'
  await house.notes.put([note('1', content)])
  const terms = [...new Set(noteTerms('invoices cents bread'))]
  const asked = { user: 'ada', projects: [project], spaces: [house.web], form: 1 }
  const [found] = await house.store.find({ ...asked, sources: ['discovery'], terms })
  const has = new Set(noteTerms(content))
  expect([...(found?.matched ?? [])]).toEqual(terms.filter((term) => has.has(term)))
  expect(found?.matched?.size).toBe(terms.length - new Set(noteTerms('bread')).size)
  const many = [...terms, ...Array.from({ length: 40 }, (_, n) => `term${n}`)]
  const [cut] = await house.store.find({ ...asked, sources: ['discovery'], terms: many })
  expect(cut?.matched).toBeUndefined()
})

it('discoveries that were recorded before have their notes made once, those of a torn run too', async () => {
  const discoveries = new Discoveries(createDiscoveryStore(database))
  const space = { id: house.web, name: 'web' }
  for (const content of ['Prices are stored in cents', 'Dates are shown in the local zone'])
    await discoveries.record(ada, { type: 'decision', content, space })
  expect(await found(ada, 'prices in cents')).toEqual([])
  await house.notes.filled([house.web])
  expect(await found(ada, 'prices in cents')).toHaveLength(2)
  await database.use((db) => sql`delete from shared_notes where content like 'Prices%'`.execute(db))
  const { notes: later } = spaceNotesIn(database)
  await later.filled([house.web])
  expect(await found(ada, 'prices in cents')).toHaveLength(2)
  expect(await house.store.withoutNote([house.web], 1, 10)).toEqual([])
})

it('a thousand notes of other spaces do not push out those of the own one', async () => {
  const { id: other } = await house.spaces.create(bob, 'other')
  const many = Array.from({ length: 1_000 }, (_, n) =>
    note(`other ${n}`, 'Prices are stored in cents', { space: other, author: 'bob' }),
  )
  await house.notes.put([...many, note('1', 'Prices are stored in cents')])
  expect(await found(ada, 'prices are stored in cents')).toEqual(['1'])
})

it('who belongs to very many spaces finds what is in any of them, and nothing of others', async () => {
  const joined: string[] = []
  for (let n = 0; n < 45; n++) joined.push((await house.spaces.create(ada, `space ${n}`)).id)
  const { id: foreign } = await house.spaces.create(bob, 'foreign')
  const content = 'Prices are stored in cents'
  await house.notes.put([
    note('first', content, { space: joined[0] }),
    note('last', content, { space: joined.at(-1) }),
    note('foreign', content, { space: foreign, author: 'bob' }),
  ])
  const asked = { query: 'prices in cents', byWords: true }
  const { candidates } = await house.notes.find(ada, [...joined, foreign], asked)
  expect(candidates.map(({ note: { id } }) => id).sort()).toEqual(['first', 'last'])
})

it('after a backup was restored, notes of before are gone and those of the backup are made', async () => {
  if (!postgres) throw new Error('PostgreSQL is one of the engines')
  const discoveries = new Discoveries(createDiscoveryStore(database))
  const space = { id: house.web, name: 'web' }
  await discoveries.record(ada, { type: 'decision', content: 'Prices are stored in cents', space })
  const path = join(temporaryFolder(), 'all.gz')
  await writeBackup(database, path, '1')
  const target = await openFresh(postgres)
  const { notes } = spaceNotesIn(target)
  await notes.put([note('stale', 'Prices are a secret', { space: 'everybody' })])
  await restoreBackup(target, path)
  const spaces = [house.web, 'everybody']
  await notes.filled(spaces)
  const { candidates } = await notes.find(ada, spaces, { query: 'prices' })
  expect(candidates.map(({ note: { content } }) => content)).toEqual(['Prices are stored in cents'])
  await target.close()
})

it('with a space its notes are gone', async () => {
  await house.notes.put([note('1', 'Prices are stored in cents')])
  await house.spaces.remove(ada, house.web)
  const { rows } = await database.use((db) => sql`select 1 from shared_notes`.execute(db))
  expect(rows).toEqual([])
})
