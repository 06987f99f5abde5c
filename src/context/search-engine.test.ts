import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { silentLog } from '../core/log.ts'
import { packageRoot } from '../core/package-root.ts'
import { openSqliteIndexStore } from '../storage/sqlite/search-index/sqlite-index-store.ts'
import type { Embedder } from './embedder/embedder.ts'
import { createStaticEmbedder, MINILM_STATIC } from './embedder/static-embedder.ts'
import { createChunker } from './indexer/chunker.ts'
import { grammarFiles } from './indexer/grammar-files.ts'
import { createSearchEngine, type SearchEngine } from './search-engine.ts'

const chunker = createChunker({ ...grammarFiles(), log: silentLog })
const embedder = createStaticEmbedder({ ...MINILM_STATIC, path: join(packageRoot(), 'assets', 'embeddings', MINILM_STATIC.file) })

const PROJECT = {
  'src/auth/login.ts': 'export function signIn(user: string, password: string) {\n  return verifyPassword(user, password)\n}\n',
  'src/store/create-store.ts':
    '/** Holds the state tree. */\nexport function createStore(reducer: Reducer) {\n  return { dispatch, subscribe }\n}\n',
  'src/store/create-store.test.ts': 'test("createStore", () => { createStore(reducer) })\n',
  'src/mail/mailer.ts': 'export class Mailer {\n  send(message: Message) { return this.transport.deliver(message) }\n}\n',
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

interface Setup {
  readonly files?: Readonly<Record<string, string>>
  readonly database?: string
  readonly root?: string
  readonly embedder?: Embedder
  readonly formerEmbedders?: readonly Embedder[]
  readonly pid?: number
}

async function engineFor(setup: Setup = {}): Promise<{ engine: SearchEngine; root: string; database: string }> {
  const root = setup.root ?? temporaryFolder()
  const database = setup.database ?? join(temporaryFolder(), 'index', 'p.db')
  write(root, setup.files ?? (setup.root ? {} : PROJECT))
  const engine = createSearchEngine({
    root,
    store: await openSqliteIndexStore(database, silentLog),
    chunker,
    embedder: setup.embedder ?? embedder,
    formerEmbedders: setup.formerEmbedders,
    platform: 'linux',
    pid: setup.pid ?? process.pid,
    log: silentLog,
  })
  onTestFinished(() => engine.close())
  return { engine, root, database }
}

async function filesFor(engine: SearchEngine, query: string): Promise<(string | undefined)[]> {
  return (await engine.search({ query, limit: 10 })).results.map((result) => result.file)
}

describe('searching code', () => {
  it('finds a definition by its name, before its tests', async () => {
    const { engine } = await engineFor()
    await engine.index()
    const { results, mode, state } = await engine.search({ query: 'createStore', limit: 10 })
    expect(results[0]).toMatchObject({
      source: 'code',
      type: 'code',
      file: 'src/store/create-store.ts',
      line: 1,
      symbol: 'createStore',
      module: 'store',
      session: null,
    })
    expect({ mode, state }).toEqual({ mode: 'hybrid', state: 'ready' })
  })

  it('finds by meaning what shares no word with the query', async () => {
    const { engine } = await engineFor()
    await engine.index()
    expect((await filesFor(engine, 'authenticate credentials'))[0]).toBe('src/auth/login.ts')
  })

  it('scores between 0 and 1, falling with rank, and says why when asked', async () => {
    const { engine } = await engineFor()
    await engine.index()
    const { results } = await engine.search({ query: 'send a message with the mailer', limit: 10, explain: true })
    const scores = results.map((result) => result.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(results[0]?.factors).toMatchObject({ chunks: expect.any(Number), name: expect.any(Number) })
    expect((await engine.search({ query: 'mailer' })).results[0]?.factors).toBeUndefined()
  })

  it('keeps to a module when asked', async () => {
    const { engine } = await engineFor()
    await engine.index()
    const { results } = await engine.search({ query: 'send store sign', module: 'mail', limit: 10 })
    expect(new Set(results.map((result) => result.module))).toEqual(new Set(['mail']))
  })

  it('takes quotes, operators and stop words for plain words', async () => {
    const { engine } = await engineFor()
    await engine.index()
    for (const query of ['"createStore" AND NOT (', 'NEAR(a b)', 'how is the', '* OR *', "it's"])
      await expect(engine.search({ query })).resolves.toBeDefined()
  })

  it('says that it is empty before anything was indexed', async () => {
    const { engine } = await engineFor()
    expect(await engine.search({ query: 'createStore' })).toMatchObject({ results: [], totalFound: 0, state: 'empty' })
  })
})

describe('indexing', () => {
  it('redoes only what changed, by content and not by date', async () => {
    const { engine, root } = await engineFor()
    expect(await engine.index()).toMatchObject({ filesIndexed: 4, filesUnchanged: 0 })
    write(root, { 'src/auth/login.ts': 'export function logOut() { endSession() }\n' })
    utimesSync(join(root, 'src/mail/mailer.ts'), new Date(), new Date(Date.now() + 60_000))
    rmSync(join(root, 'src/store/create-store.test.ts'))
    expect(await engine.index()).toMatchObject({ filesIndexed: 1, filesUnchanged: 2, filesRemoved: 1 })
    expect((await filesFor(engine, 'logOut'))[0]).toBe('src/auth/login.ts')
    expect(await filesFor(engine, 'signIn verifyPassword')).not.toContain('src/store/create-store.test.ts')
    expect(await engine.status()).toMatchObject({ state: 'ready', files: 3, embedded: 1 })
  })

  it('goes on where it was interrupted, and answers meanwhile by words', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`src/part${i}.ts`, `export function step${i}() {}\n${'// filler\n'.repeat(1500)}`]),
    )
    const { engine } = await engineFor({ files })
    const stop = new AbortController()
    const interrupted = engine.index({ signal: stop.signal, onProgress: ({ filesDone }) => filesDone >= 38 && stop.abort() })
    await expect(interrupted).rejects.toThrow()
    const before = await engine.status()
    expect(before.state).toBe('building')
    expect(before.files).toBeGreaterThan(0)
    expect((await engine.search({ query: 'step0' })).mode).toBe('lexical')
    const { filesIndexed, filesUnchanged } = await engine.index()
    expect([filesIndexed, filesUnchanged]).toEqual([40 - before.files, before.files])
  })

  it('reports files, chunks, rate and time left', async () => {
    const { engine } = await engineFor()
    const seen: number[] = []
    await engine.index({ onProgress: (progress) => void seen.push(progress.filesDone, progress.filesTotal, progress.chunks) })
    expect(seen.slice(-3)).toEqual([4, 4, 4])
  })

  it('waits for another process that indexes, and takes over from one that died', async () => {
    const { engine, root, database } = await engineFor()
    const other = await openSqliteIndexStore(database, silentLog)
    await other.acquireLock(process.ppid, Date.now(), 10_000)
    const { engine: waiting } = await engineFor({ root, database, pid: process.pid })
    let done = false
    const run = waiting.index().then(() => {
      done = true
    })
    await new Promise((later) => setTimeout(later, 300))
    expect(done).toBe(false)
    expect((await engine.status()).indexingPid).toBe(process.ppid)
    await other.releaseLock(process.ppid)
    await run
    await other.acquireLock(2 ** 22 + 12345, Date.now(), 10_000)
    await expect(engine.index()).resolves.toMatchObject({ filesUnchanged: 4 })
    await other.close()
  })

  it('sees what another process has indexed', async () => {
    const { engine, root, database } = await engineFor()
    const { engine: reader } = await engineFor({ root, database })
    expect((await reader.search({ query: 'createStore' })).results).toEqual([])
    await engine.index()
    expect((await filesFor(reader, 'createStore'))[0]).toBe('src/store/create-store.ts')
  })

  it('rebuilds an index that is corrupt', async () => {
    const database = join(temporaryFolder(), 'p.db')
    writeFileSync(database, 'this is not a database, but it is long enough to look like one'.repeat(100))
    const { engine } = await engineFor({ database })
    await engine.index()
    expect((await filesFor(engine, 'createStore'))[0]).toBe('src/store/create-store.ts')
  })

  it('answers from memory where nothing can be written', async () => {
    const file = join(temporaryFolder(), 'a-file')
    writeFileSync(file, '')
    const { engine } = await engineFor({ database: join(file, 'below', 'p.db') })
    await engine.index()
    expect((await filesFor(engine, 'createStore'))[0]).toBe('src/store/create-store.ts')
  })

  it('follows the files while it watches', async () => {
    const { engine, root } = await engineFor()
    await engine.index()
    let changed: (() => void) | undefined
    const indexed = new Promise<void>((resolve) => {
      changed = resolve
    })
    const watcher = await engine.watch({ onIndexed: () => changed?.() })
    write(root, { 'src/pay/invoice.ts': 'export function chargeInvoice() {}\n' })
    await indexed
    await watcher.close()
    expect((await filesFor(engine, 'chargeInvoice'))[0]).toBe('src/pay/invoice.ts')
  })
})

describe('a change of the embedder', () => {
  const fake = (id: string, fails = false): Embedder => ({
    id,
    dimension: 2,
    embed: async (texts) => {
      if (fails) throw new Error('down')
      return texts.map((text) => Float32Array.of(text.length % 7, 1))
    },
  })

  it('embeds everything anew while the old vectors answer', async () => {
    const { engine, root, database } = await engineFor({ embedder: fake('old') })
    await engine.index()
    const { engine: next } = await engineFor({ root, database, embedder: fake('new'), formerEmbedders: [fake('old')] })
    expect(await next.status()).toMatchObject({ embedder: 'new', embedded: 0 })
    expect((await next.search({ query: 'createStore' })).mode).toBe('hybrid')
    await next.index()
    expect(await next.status()).toMatchObject({ embedded: 1 })
    expect((await engine.status()).embedded).toBe(0)
  })

  it('indexes and answers by words when the embedding service is down, and says so', async () => {
    const { engine } = await engineFor({ embedder: fake('down', true) })
    expect((await engine.index()).warnings).toEqual([expect.stringContaining('vectors could not be made')])
    expect(await engine.search({ query: 'createStore' })).toMatchObject({
      mode: 'lexical',
      results: [{ file: 'src/store/create-store.ts' }, {}],
    })
  })

  it('answers by words and names the failure when the query alone cannot be embedded', async () => {
    let down = false
    const flaky: Embedder = {
      ...fake('flaky'),
      embed: async (texts) => (down ? Promise.reject(new Error('status 503')) : texts.map(() => Float32Array.of(1, 1))),
    }
    const { engine } = await engineFor({ embedder: flaky })
    await engine.index()
    down = true
    expect(await engine.search({ query: 'createStore' })).toMatchObject({
      mode: 'lexical',
      embeddingFailure: expect.stringContaining('503'),
    })
  })
})

describe('searching notes', () => {
  const date = '2026-01-01T00:00:00.000Z'
  const notes = [
    {
      id: 'd1',
      source: 'discovery',
      type: 'decision',
      content: 'We decided to use PostgreSQL for the task store',
      module: 'storage',
      date,
    },
    { id: 'd2', source: 'discovery', type: 'rule', content: 'Always validate arguments at the boundary', module: 'core', date },
    {
      id: 's1',
      source: 'session',
      content: 'And what about the other one?',
      neighbours: 'The retry limit of the mailer is five',
      session: 'x',
      date,
    },
  ] as const

  it('finds discoveries and dialogs beside code, and a turn by the turns around it', async () => {
    const { engine } = await engineFor()
    await engine.putNotes(notes)
    expect((await engine.search({ query: 'which database did we choose for tasks' })).results[0]).toMatchObject({
      id: 'd1',
      source: 'discovery',
      type: 'decision',
      module: 'storage',
    })
    expect((await engine.search({ query: 'retry limit' })).results[0]).toMatchObject({
      id: 's1',
      source: 'session',
      session: 'x',
    })
    expect((await engine.search({ query: 'retry limit' })).state).toBe('ready')
  })

  it('keeps to a type, which only discoveries have, and to a source', async () => {
    const { engine } = await engineFor()
    await engine.index()
    await engine.putNotes(notes)
    const ids = async (request: object) =>
      (await engine.search({ query: 'store arguments mailer', limit: 20, ...request })).results.map(({ id }) => id)
    expect(await ids({ type: 'rule' })).toEqual(['d2'])
    expect(await ids({ sources: ['session'] })).toEqual(['s1'])
    expect((await ids({ sources: ['code'] })).every((id) => id.startsWith('code:'))).toBe(true)
  })

  it('replaces a note of the same id, and forgets a removed one', async () => {
    const { engine } = await engineFor()
    await engine.putNotes(notes)
    await engine.putNotes([{ ...notes[1], content: 'Never log secrets' }])
    await engine.removeNotes(['d1'])
    expect((await engine.status()).notes).toBe(2)
    const { results } = await engine.search({ query: 'PostgreSQL secrets log arguments', sources: ['discovery'] })
    expect(results.map(({ content }) => content)).toEqual(['Never log secrets'])
  })

  it('prefers, of two equal notes, the fresh one and the one used more', async () => {
    const { engine } = await engineFor()
    const note = { source: 'discovery', type: 'rule', content: 'Tokens are rotated weekly', date } as const
    await engine.putNotes([
      { ...note, id: 'old' },
      { ...note, id: 'used', accessCount: 80 },
      { ...note, id: 'new', date: new Date().toISOString(), accessCount: 80 },
    ])
    expect((await engine.search({ query: 'rotated tokens' })).results.map(({ id }) => id)).toEqual(['new', 'used', 'old'])
  })
})
