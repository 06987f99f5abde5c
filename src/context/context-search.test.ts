import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFresh } from '../../test/support/engines.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { silentLog } from '../core/log.ts'
import type { SearchEngine } from '../search/search-engine.ts'
import type { SearchAnswer } from '../search/search-types.ts'
import { createDiscoveryStore } from '../storage/stores/discovery-store.ts'
import { contextSearch } from './context-search.ts'
import { Discoveries } from './discoveries/discoveries.ts'
import type { DialogFeed } from './discoveries/turns.ts'
import { Preparation } from './preparation.ts'

const never = new Promise<never>(() => {})
const EMPTY: SearchAnswer = { results: [], totalFound: 0, mode: 'lexical', state: 'building' }
const REQUEST = { query: 'refresh the expired token', type: 'all', limit: 5 } as const

async function setUp(engine: Partial<SearchEngine>, turns?: DialogFeed['turns']) {
  const home = join(temporaryFolder(), 'home')
  const database = await openFresh({
    name: 'sqlite',
    fresh: async () => ({ SECRETARY_HOME: home }),
  })
  const discoveries = new Discoveries(createDiscoveryStore(database))
  const whole: SearchEngine = {
    index: () => never,
    watch: () => never,
    search: async () => EMPTY,
    putNotes: async () => {},
    removeNotes: async () => {},
    removeNotesUnder: async () => {},
    readUntil: async () => 0,
    setReadUntil: async () => {},
    status: async () => ({
      state: 'building',
      files: 0,
      chunks: 0,
      notes: 0,
      embedder: 'none',
      embedded: 0,
    }),
    close: async () => {},
    ...engine,
  }
  const preparation = new Preparation({
    engineOf: async () => whole,
    reopenEngine: async () => {},
    indexesCode: true,
    dialogs: turns && { turns, gone: async () => [] },
    discoveries,
    log: silentLog,
  })
  const caller = { user: 'ada', project: temporaryFolder() }
  const search = (more = {}) =>
    contextSearch(
      caller,
      { ...REQUEST, ...more },
      { preparation, discoveries },
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
        message: 'The index could not be built; the log has more',
        fallback: 'Use grep_codebase for text search',
      },
    })
  })

  it('C3 names the embedding service, and gives what words alone have found', async () => {
    const code = {
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
    const { search } = await setUp({
      search: async () => ({
        results: [code],
        totalFound: 1,
        mode: 'lexical',
        state: 'ready',
        embeddingFailure: 'status 503',
      }),
    })
    await expect(search()).rejects.toMatchObject({
      message: 'Failed to generate query embedding',
      data: { details: 'status 503', results: [expect.objectContaining({ file: 'a.ts' })] },
    })
  })

  it('finds what was said since the last search, though the dialogs are read only when somebody asks', async () => {
    const notes: string[] = []
    const said = { sessionId: 's', position: 1, time: 0, request: 'The heron nests in March' }
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

  it("leaves out notes of others and gives none of another's dialogs", async () => {
    const note = {
      type: 'session',
      content: 'said',
      module: null,
      session: 's',
      date: '',
      score: 0.5,
      source: 'session',
    } as const
    const foreign = { ...note, id: 'foreign', source: 'discovery', type: 'rule' } as const
    const { search } = await setUp({
      search: async () => ({
        results: [
          { ...note, id: 'ada/s/1' },
          { ...note, id: 'bob/s/1' },
          { ...note, id: 'adam/s/1' },
          foreign,
        ],
        totalFound: 4,
        mode: 'hybrid',
        state: 'ready',
      }),
    })
    const { results, totalFound } = await search()
    expect(results.map(({ id }) => id)).toEqual(['ada/s/1'])
    expect(totalFound).toBe(1)
  })
})
