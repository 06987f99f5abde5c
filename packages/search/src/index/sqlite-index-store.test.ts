import { join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import type { VectorCache } from '../embedder/embedder.ts'
import type { IndexedFile, IndexStore } from '../index-store.ts'
import { openSqliteIndexStore } from './sqlite-index-store.ts'

type Store = IndexStore & { readonly vectorCache: VectorCache }

function file(path: string, chunks: readonly { terms: string; symbol?: string }[]): IndexedFile {
  return {
    path,
    hash: `hash of ${path}`,
    size: 10,
    mtimeMs: 1.5,
    language: 'typescript',
    title: path,
    outline: `${path} outline`,
    pathTerms: path.replace(/\W/g, ' '),
    chunks: chunks.map(({ terms, symbol = '' }, i) => ({
      line: i * 10 + 1,
      endLine: i * 10 + 9,
      kind: 'function',
      symbols: symbol ? [symbol] : [],
      scope: '',
      content: `content of ${terms}`,
      terms,
      symbolTerms: symbol,
      definitions: symbol ? [{ term: symbol, name: symbol, weight: 0.9 }] : [],
    })),
  }
}

describe('the search index', () => {
  async function fresh(): Promise<{ store: Store; open: (project?: string) => Promise<Store> }> {
    const folder = temporaryFolder()
    const open = async (project = 'one'): Promise<Store> => {
      const store = await openSqliteIndexStore(join(folder, `${project}.db`), silentLog)
      onTestFinished(() => store.close())
      return store
    }
    return { store: await open(), open }
  }

  const paths = async (store: Store, ids: readonly number[]) => {
    const files = new Map((await store.filesAfter(0, 100)).map((one) => [one.id, one.path]))
    return ids.map((id) => files.get(id))
  }

  const find = async (store: Store, terms: readonly string[], limit: number) =>
    store.findChunks(await store.frequencies(terms), limit)

  it('ranks rare terms above common ones, and symbols above bodies', async () => {
    const { store } = await fresh()
    await store.putFiles([
      file('a.ts', [{ terms: 'router common common words here' }]),
      file('b.ts', [{ terms: 'common words' }]),
      file('c.ts', [{ terms: 'common other words', symbol: 'router' }]),
      file('d.ts', [{ terms: 'nothing at all' }]),
      file('e.ts', [{ terms: 'nothing more' }]),
      file('f.ts', [{ terms: 'nothing else' }]),
    ])
    const hits = await find(store, ['router', 'common'], 10)
    expect(await pathsOf(hits)).toEqual(['c.ts', 'a.ts', 'b.ts'])

    async function pathsOf(found: readonly { id: number }[]) {
      const chunks = await store.chunks(found.map(({ id }) => id))
      const fileOf = new Map(chunks.map(({ id, fileId }) => [id, fileId]))
      return paths(
        store,
        found.map(({ id }) => fileOf.get(id) ?? -1),
      )
    }
    expect(await find(store, [], 10)).toEqual([])
    expect(await store.frequencies(['router', 'nothing', 'absent'])).toEqual(
      new Map([
        ['router', 2],
        ['nothing', 3],
        ['absent', 0],
      ]),
    )
  })

  it('gives back chunks as they were put, with consecutive ids in a file', async () => {
    const { store } = await fresh()
    await store.putFiles([file('a.ts', [{ terms: 'one', symbol: 'first' }, { terms: 'two' }])])
    const [stored] = await store.filesAfter(0, 10)
    expect(stored).toMatchObject({ path: 'a.ts', mtimeMs: 1.5 })
    expect((stored?.lastChunkId ?? 0) - (stored?.firstChunkId ?? 0)).toBe(1)
    const chunks = await store.chunks([
      stored?.firstChunkId ?? 0,
      stored?.lastChunkId ?? 0,
      999_999,
    ])
    expect(
      chunks.map(({ line, endLine, kind, symbols, content, fileId }) => ({
        line,
        endLine,
        kind,
        symbols,
        content,
        fileId,
      })),
    ).toEqual([
      {
        line: 1,
        endLine: 9,
        kind: 'function',
        symbols: ['first'],
        content: 'content of one',
        fileId: stored?.id,
      },
      {
        line: 11,
        endLine: 19,
        kind: 'function',
        symbols: [],
        content: 'content of two',
        fileId: stored?.id,
      },
    ])
    expect(await store.findDefinitions(['first', 'absent'], 5)).toMatchObject([
      { term: 'first', chunkId: stored?.firstChunkId, fileId: stored?.id },
    ])
  })

  it('replaces a file as a whole and forgets a removed one, vectors and definitions too', async () => {
    const { store } = await fresh()
    await store.putFiles([
      file('a.ts', [{ terms: 'old', symbol: 'gone' }]),
      file('b.ts', [{ terms: 'stay' }]),
    ])
    const [before] = await store.filesAfter(0, 1)
    await store.putVectors('m', 'chunk', [
      { id: before?.firstChunkId ?? 0, vector: Int8Array.of(1, 2) },
    ])
    await store.putFiles([file('a.ts', [{ terms: 'new' }])])
    await store.removeFiles(['b.ts', 'never-there.ts'])
    expect(await store.counts()).toEqual({ files: 1, chunks: 1, notes: 0 })
    expect(await find(store, ['old', 'stay'], 10)).toEqual([])
    expect(await store.findDefinitions(['gone'], 10)).toEqual([])
    expect(await store.vectorsAfter('m', 'chunk', 0, 10)).toEqual([])
    expect((await store.filesAfter(before?.id ?? 0, 10)).map(({ path }) => path)).toEqual(['a.ts'])
  })

  it('keeps vectors by model and says what has none', async () => {
    const { store } = await fresh()
    await store.putFiles([file('a.ts', [{ terms: 'one', symbol: 'first' }, { terms: 'two' }])])
    const missing = await store.withoutVector('m', 'chunk', 0, 10)
    expect(missing.map(({ text }) => text)).toEqual([
      'a.ts\nfirst\ncontent of one',
      'a.ts\n\ncontent of two',
    ])
    const id = missing[0]?.id ?? 0
    await store.putVectors('m', 'chunk', [{ id, vector: Int8Array.of(-128, 127, 0) }])
    expect(await store.vectorsAfter('m', 'chunk', 0, 10)).toEqual([
      { id, vector: Int8Array.of(-128, 127, 0) },
    ])
    expect(await store.vectorsAfter('other', 'chunk', 0, 10)).toEqual([])
    expect((await store.withoutVector('m', 'chunk', 0, 10)).map((row) => row.id)).toEqual([
      missing[1]?.id,
    ])
    expect(await store.withoutVector('m', 'file', 0, 10)).toEqual([
      { id: expect.any(Number), text: 'a.ts outline' },
    ])
    expect(await store.vectorCounts()).toEqual(new Map([['m', 1]]))
    await store.dropModel('m')
    expect(await store.vectorCounts()).toEqual(new Map())
  })

  it('finds notes by their own words before those found by their neighbours', async () => {
    const { store } = await fresh()
    const note = { source: 'session', content: 'text', date: '2026-01-01T00:00:00.000Z' } as const
    await store.putNotes([
      { ...note, id: 'near', terms: 'filler words', neighbourTerms: 'retry limit' },
      {
        ...note,
        id: 'own',
        terms: 'retry limit',
        neighbourTerms: '',
        module: 'mail',
        session: 's',
        accessCount: 3,
      },
      ...['x', 'y', 'z'].map((id) => ({ ...note, id, terms: 'unrelated', neighbourTerms: '' })),
    ])
    const hits = await store.findNotes(['retry', 'limit'], [''], 10)
    const notes = new Map(
      (await store.notes(hits.map(({ id }) => id))).map((one) => [one.key, one]),
    )
    expect(hits.map(({ id }) => notes.get(id)?.id)).toEqual(['own', 'near'])
    expect(notes.get(hits[0]?.id ?? 0)).toMatchObject({
      source: 'session',
      module: 'mail',
      session: 's',
      accessCount: 3,
      date: note.date,
    })
    await store.removeNotes('', ['own'])
    expect(await store.noteIdsUnder('', '')).toHaveLength(4)
    expect(await store.noteIdsUnder('', 'no such note')).toEqual([])
    expect((await store.counts()).notes).toBe(4)
  })

  it('moves its revision with every change, for other connections too', async () => {
    const { store, open } = await fresh()
    const other = await open()
    const before = await other.revision()
    await store.putFiles([file('a.ts', [{ terms: 'one' }])])
    expect(await other.revision()).toBeGreaterThan(before)
    expect(await other.mark('completed')).toBeUndefined()
    await store.setMark('completed', '2026-01-02T00:00:00.000Z')
    expect(await other.mark('completed')).toBe('2026-01-02T00:00:00.000Z')
  })

  it('keeps projects apart', async () => {
    const { store, open } = await fresh()
    const other = await open('two')
    await store.putFiles([file('a.ts', [{ terms: 'one', symbol: 'first' }])])
    expect(await other.counts()).toEqual({ files: 0, chunks: 0, notes: 0 })
    expect(await find(other, ['one'], 5)).toEqual([])
    expect(await other.findDefinitions(['first'], 5)).toEqual([])
  })

  it('takes no sign of life from the future for one, after the clock was set back', async () => {
    const store = await openSqliteIndexStore(join(temporaryFolder(), 'index.db'), silentLog)
    onTestFinished(() => store.close())
    expect(await store.acquireLock(11, 7_200_000, 500)).toBe(11)
    expect(await store.lockHolder(1_000, 500)).toBeUndefined()
    expect(await store.acquireLock(22, 1_000, 500)).toBe(22)
  })

  it('gives the lock to one process, and to the next when the first has been silent too long', async () => {
    const { store, open } = await fresh()
    const other = await open()
    expect(await store.acquireLock(11, 1_000, 500)).toBe(11)
    expect(await other.acquireLock(22, 1_400, 500)).toBe(11)
    expect(await store.acquireLock(11, 1_450, 500)).toBe(11)
    expect(await other.lockHolder(1_900, 500)).toBe(11)
    expect(await other.acquireLock(22, 2_000, 500)).toBe(22)
    await store.releaseLock(11)
    expect(await store.lockHolder(2_000, 500)).toBe(22)
    await other.releaseLock(22)
    expect(await store.lockHolder(2_000, 500)).toBeUndefined()
  })

  it('remembers vectors by the hash of their text', async () => {
    const { store } = await fresh()
    await store.vectorCache.keep('m', new Map([['h1', Int8Array.of(1, -2)]]))
    expect(await store.vectorCache.find('m', ['h1', 'h2'])).toEqual(
      new Map([['h1', Int8Array.of(1, -2)]]),
    )
    expect(await store.vectorCache.find('other', ['h1'])).toEqual(new Map())
  })

  it('takes text that holds quotes, backslashes and NUL', async () => {
    const { store } = await fresh()
    await store.putFiles([
      { ...file("it's.ts", [{ terms: "o'neil back\\slash" }]), outline: 'a\u0000b' },
    ])
    await expect(find(store, ["o'neil", 'back\\slash', '"quoted"'], 5)).resolves.toBeDefined()
  })
})
