import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import type { SearchEngine } from '@secretary-mcp/search/search-engine.ts'
import type { SearchAnswer, SearchRequest } from '@secretary-mcp/search/search-types.ts'
import { describe, expect, it } from 'vitest'
import { openFreshSqlite } from '../../../../test/support/engines.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { contextSearch, keepPlaces } from './context-search.ts'
import { Discoveries } from './discoveries/discoveries.ts'
import type { DialogFeed, FedTurn } from './discoveries/feed.ts'
import { Preparation } from './preparation.ts'
import { createDiscoveryStore } from './store/discovery-store.ts'

const never = new Promise<never>(() => {})
const EMPTY: SearchAnswer = { results: [], totalFound: 0, mode: 'lexical', state: 'building' }
const STATUS = {
  state: 'building',
  files: 0,
  chunks: 0,
  notes: 0,
  embedder: 'none',
  embedded: 0,
  isInMemory: false,
} as const
const summary = {
  filesIndexed: 0,
  filesUnchanged: 0,
  filesRemoved: 0,
  filesSkipped: 0,
  chunks: 0,
  seconds: 0,
  warnings: [],
}
const found = {
  id: 'code:a.ts:1',
  source: 'code',
  type: 'code',
  content: 'x',
  module: null,
  session: null,
  date: '',
  score: 0.5,
  file: 'a.ts',
} as const
const REQUEST = { query: 'refresh the expired token', type: 'all', limit: 5 } as const

async function setUp(engine: Partial<SearchEngine>, turns?: DialogFeed['turns']) {
  const database = openFreshSqlite()
  const discoveries = new Discoveries(createDiscoveryStore(database))
  const whole: SearchEngine = {
    define: async () => [],
    filesNamed: async () => [],
    isTest: () => false,
    index: () => never,
    watch: () => never,
    search: async () => EMPTY,
    putNotes: async () => {},
    removeNotes: async () => {},
    noteIdsUnder: async () => [],
    removeNotesUnder: async () => {},
    readUntil: async () => 0,
    setReadUntil: async () => {},
    readSoFar: async () => new Map(),
    setReadSoFar: async () => {},
    status: async () => STATUS,
    close: async () => {},
    ...engine,
  }
  const preparation = new Preparation({
    engineOf: async () => whole,
    reopenEngine: async () => {},
    indexesCode: true,
    dialogs: turns && {
      latest: async () => 0,
      turns,
      isReading: () => false,
      gone: async () => [],
    },
    discoveries,
    log: silentLog,
  })
  const caller = { user: 'ada', project: temporaryFolder() }
  const search = (more = {}) =>
    contextSearch(
      caller,
      { ...REQUEST, ...more },
      { preparation, discoveries, log: silentLog, firstWaitMs: 20 },
      new AbortController().signal,
    )
  return { caller, search }
}

describe('context_search while the index is being built', () => {
  it('C3 answers by words where nothing is indexed yet, and says that it is incomplete', async () => {
    const { caller, search } = await setUp({})
    writeFileSync(join(caller.project, 'token.ts'), 'export function refreshToken() {}\n')
    writeFileSync(
      join(caller.project, 'other.ts'),
      'export const expired = true // token refresh\n',
    )
    const { results, partial, message } = await search()
    expect(results.map(({ file }) => file)).toEqual(['other.ts', 'token.ts'])
    expect(results[0]).toMatchObject({ source: 'code', line: 1, score: 0.5 })
    expect(partial).toBe(true)
    expect(message).toContain('being built')
  })

  it('C3 says that nothing is available yet where words find nothing either', async () => {
    const { search } = await setUp({})
    await expect(search()).rejects.toMatchObject({
      message: 'No embeddings available',
      data: {
        suggestion: 'Use grep_codebase for text search',
        action: 'Embeddings will be generated in background',
      },
    })
  })

  it('C3 gives a reason where the index could not be built', async () => {
    const { search } = await setUp({ index: () => Promise.reject(new Error('disk on fire')) })
    await expect(search()).rejects.toMatchObject({
      message: 'Search failed',
      data: {
        message: 'The index could not be built; see the log',
        fallback: 'Try using grep_codebase for text search',
      },
    })
  })

  it('C3 names the embedding service, and gives what words alone have found', async () => {
    const { search } = await setUp({
      search: async () => ({
        results: [found],
        totalFound: 1,
        mode: 'lexical',
        state: 'ready',
        embeddingFailure: { details: 'status 503', timedOut: false },
      }),
    })
    await expect(search()).rejects.toMatchObject({
      message: 'Failed to generate query embedding',
      data: { details: 'status 503', results: [expect.objectContaining({ file: 'a.ts' })] },
    })
  })

  it('finds what was said since the last search, though the dialogs are read only when somebody asks', async () => {
    const notes: string[] = []
    const text = 'The heron nests in March'
    const said = { sessionId: 's', position: 1, time: 0, request: text, typed: text }
    const note = {
      id: 'ada/s/1',
      source: 'session',
      type: 'session',
      module: null,
      session: 's',
      date: '',
      score: 1,
    } as const
    const engine = {
      putNotes: async (given: readonly { content: string }[]) =>
        void notes.push(...given.map(({ content }) => content)),
      search: async (): Promise<SearchAnswer> => ({
        results: notes.map((content) => ({ ...note, content })),
        totalFound: notes.length,
        mode: 'lexical',
        state: 'ready',
      }),
    }
    const { search } = await setUp(engine, async function* () {
      await new Promise((later) => setTimeout(later, 10))
      yield said
    })
    expect((await search()).results.map(({ content }) => content)).toEqual([
      'The heron nests in March',
    ])
  })

  it('asks for the notes of the caller alone, and leaves out discoveries that are gone', async () => {
    const asked: SearchRequest[] = []
    const note = { content: 'x', module: null, session: 's', date: '', score: 0.5 } as const
    const { search } = await setUp({
      search: async (request) => {
        asked.push(request)
        return {
          results: [
            { ...note, id: 's/1', source: 'session', type: 'session' },
            { ...note, id: 'gone', source: 'discovery', type: 'rule' },
          ],
          totalFound: 2,
          mode: 'lexical',
          state: 'ready',
        }
      },
    })
    const { results, totalFound } = await search()
    expect(results.map(({ id }) => id)).toEqual(['s/1'])
    expect(totalFound).toBe(1)
    expect(asked[0]?.scopes).toEqual(['ada'])
  })

  it('C10 answers by words where the embedding service hangs, and says so', async () => {
    const asked: SearchRequest[] = []
    const { search } = await setUp({
      index: async () => summary,
      search: async (request) => {
        asked.push(request)
        return {
          results: [found],
          totalFound: 1,
          mode: 'lexical',
          state: asked.length === 1 ? 'building' : 'ready',
          ...(request.byWords
            ? {}
            : { embeddingFailure: { details: 'It did not answer', timedOut: true } }),
        }
      },
    })
    const { results, message } = await search()
    expect(results).toHaveLength(1)
    expect(message).toContain('It did not answer')
    expect(message).toContain('Try using grep_codebase for text search')
    expect(asked.map(({ byWords }) => byWords)).toEqual([undefined, true])
  })

  it('says why results may be missing where a run over the project failed', async () => {
    const full = new Failure('storage_full', 'The disk is full; nothing was saved')
    const state = 'building' as const
    const { search } = await setUp({
      index: () => Promise.reject(full),
      search: async () => ({ results: [found], totalFound: 1, mode: 'lexical', state }),
    })
    expect(await search()).toMatchObject({
      partial: true,
      message: expect.stringContaining('The disk is full'),
    })
  })

  it('says that dialogs are missing while they are read for the first time, and not later', async () => {
    const ready = { results: [found], totalFound: 1, mode: 'hybrid', state: 'ready' } as const
    const reading = async function* () {
      yield await (never as Promise<FedTurn>)
    }
    const index = async () => summary
    const first = await setUp({ index, search: async () => ready }, reading)
    expect(await first.search()).toMatchObject({
      partial: true,
      message: expect.stringContaining('Dialogs are still being read'),
    })
    const later = await setUp(
      { index, search: async () => ready, readUntil: async () => 7 },
      reading,
    )
    expect(await later.search()).not.toHaveProperty('partial')
  })

  it('says why results may be missing where the dialogs could not be read', async () => {
    const lost = new Failure('storage_unavailable', 'The database cannot be reached')
    const { search } = await setUp(
      {
        index: async () => summary,
        search: async () => ({ results: [found], totalFound: 1, mode: 'hybrid', state: 'ready' }),
      },
      async function* () {
        yield await Promise.reject(lost)
      },
    )
    expect(await search()).toMatchObject({
      partial: true,
      message: expect.stringContaining('The database cannot be reached'),
    })
  })

  it('says so where nothing is found', async () => {
    const { search } = await setUp({
      index: async () => summary,
      search: async () => ({ results: [], totalFound: 0, mode: 'hybrid', state: 'ready' }),
      status: async () => ({ ...STATUS, state: 'ready', files: 3 }),
    })
    expect((await search()).message).toMatch(/^Nothing found/)
  })
})

const code = (score: number) => ({ source: 'code' as const, score, session: null })
const said = (score: number, session: string) => ({ source: 'session' as const, score, session })
const noted = (score: number) => ({ source: 'discovery' as const, score, session: null })

describe('places for each kind of result', () => {
  it('C1 dialogs and discoveries are among five although code scores higher', () => {
    const results = [
      ...[0.9, 0.8, 0.7, 0.6, 0.5].map(code),
      said(0.4, 'a'),
      said(0.3, 'b'),
      said(0.28, 'c'),
      noted(0.26),
    ]
    expect(keepPlaces(results, 5)).toEqual([
      code(0.9),
      code(0.8),
      said(0.4, 'a'),
      said(0.3, 'b'),
      noted(0.26),
    ])
  })

  it('C1 one dialog does not take both places', () => {
    const dialogs = [said(0.5, 'a'), said(0.4, 'a'), said(0.3, 'b')]
    const results = [...[0.9, 0.8, 0.7, 0.6].map(code), ...dialogs]
    const sessions = keepPlaces(results, 5).flatMap(({ session }) => session ?? [])
    expect(sessions).toEqual(['a', 'b'])
  })

  it('C1 places that a kind does not fill go to the best of the others', () => {
    const results = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map(code)
    expect(keepPlaces(results, 5)).toEqual(results.slice(0, 5))
    const sayings = [said(0.9, 'a'), said(0.8, 'a'), said(0.7, 'a'), said(0.6, 'a')]
    expect(keepPlaces(sayings, 3)).toEqual(sayings.slice(0, 3))
  })

  it('C1 a note that says next to nothing of the question has no place of its own', () => {
    const results = [...[0.9, 0.8, 0.7, 0.6, 0.5].map(code), said(0.2, 'a'), noted(0.1)]
    expect(keepPlaces(results, 5)).toEqual(results.slice(0, 5))
  })

  it('C1 a single place belongs to the best', () => {
    expect(keepPlaces([code(0.9), said(0.5, 'a')], 1)).toEqual([code(0.9)])
  })
})
