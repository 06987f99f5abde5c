import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '@secretary-mcp/core/log.ts'
import { openSqliteFile } from '@secretary-mcp/core/sqlite/connection.ts'
import { describe, expect, it } from 'vitest'
import { engineFor, filesFor, write } from '../../../test/support/search-engine-house.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Embedder } from './embedder/embedder.ts'
import { openSqliteIndexStore } from './index/sqlite-index-store.ts'

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

  it('holds another platform against a file only where most files have none', async () => {
    const charge = 'fun chargeBattery() = Unit\n'
    const factorsOf = async (files: Record<string, string>) => {
      const { engine } = await engineFor({ files })
      await engine.index()
      const { results } = await engine.search({ query: 'chargeBattery', limit: 1, explain: true })
      return Object.keys(results[0]?.factors ?? {})
    }
    const others = { 'core/a.kt': 'fun a() = 1\n', 'core/b.kt': 'fun b() = 2\n' }
    expect(await factorsOf({ 'android/Battery.kt': charge, ...others })).toContain('otherPlatform')
    expect(
      await factorsOf({ 'android/Battery.kt': charge, 'android/c.kt': 'fun c() = 3\n' }),
    ).not.toContain('otherPlatform')
  })

  it('finds by meaning what shares no word with the query', async () => {
    const { engine } = await engineFor()
    await engine.index()
    expect((await filesFor(engine, 'authenticate credentials'))[0]).toBe('src/auth/login.ts')
  })

  it('scores between 0 and 1, falling with rank, and says why when asked', async () => {
    const { engine } = await engineFor()
    await engine.index()
    const { results } = await engine.search({
      query: 'send a message with the mailer',
      limit: 10,
      explain: true,
    })
    const scores = results.map((result) => result.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(results[0]?.factors).toMatchObject({
      chunks: expect.any(Number),
      name: expect.any(Number),
    })
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
    expect(await engine.search({ query: 'createStore' })).toMatchObject({
      results: [],
      totalFound: 0,
      state: 'empty',
    })
  })
})

describe('indexing', () => {
  it('redoes only what changed, by content and not by date', async () => {
    const { engine, root } = await engineFor()
    expect(await engine.index()).toMatchObject({ filesIndexed: 4, filesUnchanged: 0 })
    write(root, { 'src/auth/login.ts': 'export function logOut() { endSession() }\n' })
    utimesSync(join(root, 'src/mail/mailer.ts'), new Date(), new Date(Date.now() + 60_000))
    rmSync(join(root, 'src/store/create-store.test.ts'))
    expect(await engine.index()).toMatchObject({
      filesIndexed: 1,
      filesUnchanged: 2,
      filesRemoved: 1,
    })
    expect((await filesFor(engine, 'logOut'))[0]).toBe('src/auth/login.ts')
    expect(await filesFor(engine, 'signIn verifyPassword')).not.toContain(
      'src/store/create-store.test.ts',
    )
    expect(await engine.status()).toMatchObject({ state: 'ready', files: 3, embedded: 1 })
  })

  it('goes on where it was interrupted, and answers meanwhile by words', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `src/part${i}.ts`,
        `export function step${i}() {}\n${'// filler\n'.repeat(3000)}`,
      ]),
    )
    const { engine } = await engineFor({ files })
    const stop = new AbortController()
    const interrupted = engine.index({
      signal: stop.signal,
      onProgress: ({ filesDone, filesTotal, chunks }) =>
        (chunks >= 600 || filesDone === filesTotal) && stop.abort(),
    })
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
    await engine.index({
      onProgress: (progress) =>
        void seen.push(progress.filesDone, progress.filesTotal, progress.chunks),
    })
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
    writeFileSync(
      database,
      'this is not a database, but it is long enough to look like one'.repeat(100),
    )
    const { engine } = await engineFor({ database })
    await engine.index()
    expect((await filesFor(engine, 'createStore'))[0]).toBe('src/store/create-store.ts')
  })

  it('rebuilds an index of another version', async () => {
    const database = join(temporaryFolder(), 'p.db')
    const file = await openSqliteFile(database)
    file.exec('CREATE TABLE files (path TEXT); PRAGMA user_version = 1')
    file.close()
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
    const { engine: next } = await engineFor({
      root,
      database,
      embedder: fake('new'),
      formerEmbedders: [fake('old')],
    })
    expect(await next.status()).toMatchObject({ embedder: 'new', embedded: 0 })
    expect((await next.search({ query: 'createStore' })).mode).toBe('hybrid')
    await next.index()
    expect(await next.status()).toMatchObject({ embedded: 1 })
    expect((await engine.status()).embedded).toBe(0)
  })

  it('indexes and answers by words when the embedding service is down, and says so', async () => {
    const { engine } = await engineFor({ embedder: fake('down', true) })
    expect((await engine.index()).warnings).toEqual([
      expect.stringContaining('the embedding service failed'),
    ])
    expect(await engine.search({ query: 'createStore' })).toMatchObject({
      state: 'ready',
      problem: expect.stringContaining('matches words only'),
    })
    expect(await engine.search({ query: 'createStore' })).toMatchObject({
      mode: 'lexical',
      results: [{ file: 'src/store/create-store.ts' }, {}],
    })
  })

  it('answers by words and names the failure when the query alone cannot be embedded', async () => {
    let down = false
    const flaky: Embedder = {
      ...fake('flaky'),
      embed: async (texts) =>
        down ? Promise.reject(new Error('status 503')) : texts.map(() => Float32Array.of(1, 1)),
    }
    const { engine } = await engineFor({ embedder: flaky })
    await engine.index()
    down = true
    expect(await engine.search({ query: 'createStore' })).toMatchObject({
      mode: 'lexical',
      embeddingFailure: { details: expect.stringContaining('503'), timedOut: false },
    })
  })

  it('answers by words, and takes notes, while the embedding service hangs', async () => {
    let hangs = false
    const slow: Embedder = {
      ...fake('slow'),
      embed: (texts, signal) =>
        hangs
          ? new Promise((_, reject) =>
              signal?.addEventListener('abort', () => reject(signal.reason as Error)),
            )
          : Promise.resolve(texts.map(() => Float32Array.of(1, 1))),
    }
    const { engine } = await engineFor({ embedder: slow })
    await engine.index()
    hangs = true
    await engine.putNotes([
      { id: 'n', source: 'discovery', type: 'rule', content: 'herons nest in March', date: '' },
    ])
    const answer = await engine.search({ query: 'herons nest' })
    expect(answer.results[0]).toMatchObject({ id: 'n' })
    expect(answer.embeddingFailure).toMatchObject({ timedOut: true })
  })
})
